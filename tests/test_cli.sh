#!/bin/sh
# Basics of the command: exit codes, streams, folders, members, overwriting, the same output for any -j. Uses a few small levels made
# with undump.
. "$(dirname "$0")/support/shell.sh"
silent() { [ ! -s "$t/$1" ] || { fail "$1 isn't silent: $2"; head -n 3 "$t/$1"; }; }

level() { # NAME FILE
    printf '{"lvl":1,"format":"wwd","doc":{"name":"%s","planes":[{"name":"Action","objects":[{"id":1,"logic":"Rat","x":5}]}]}}' "$1" |
        "$lvl" undump - -o "$2"
}
mkdir -p dir/sub dir/.hidden
level One dir/one.wwd || fail "making a level"
level Two dir/sub/two.wwd
level Three dir/Three.wwd
level Hidden dir/.hidden/h.wwd
echo "not a level" >dir/readme.txt
cp dir/one.wwd dir/.secret.wwd

# help and version
expect 0 "$lvl" --version
out_has "lvl 0" --version
expect 0 "$lvl" --help
out_has "Verbs:" --help
expect 0 "$lvl" help
for verb in info render convert check repair dump undump get set explain diff extract pack formats help version; do
    expect 0 "$lvl" $verb --help
    out_has "usage: lvl $verb" "$verb --help"
    cp out help.$verb
    expect 0 "$lvl" help $verb
    cmp -s out help.$verb || fail "help $verb and $verb --help differ"
    expect 0 "$lvl" help --man $verb
    out_has ".TH" "help --man $verb"
    expect 0 "$lvl" $verb -h
done
expect 0 "$lvl" help --man
out_has '.TH' "help --man"
cp out man
for verb in $("$lvl" help --list); do
    grep -qxF "\\fBlvl\\-$verb\\fR(1)" man || fail "help --man does not list $verb"
done
for shell in bash zsh fish powershell; do
    expect 0 "$lvl" help --completions $shell
    out_has "render" "completions for $shell"
done
"$lvl" help --completions bash | bash -n || fail "bash completions don't parse"

# usage
expect 2 "$lvl"
out_has "usage:" "lvl alone"
expect 2 "$lvl" chek
err_has "did you mean \`lvl check'" chek
expect 2 "$lvl" check --rondtrip dir
err_has "did you mean --roundtrip" --rondtrip
expect 2 "$lvl" dump --roundtrip dir
err_has "has no option --roundtrip" "option of another verb"
expect 2 "$lvl" check
expect 2 "$lvl" check --profile nonsense dir
expect 2 "$lvl" check --limit cells=many dir
expect 2 "$lvl" check --limit nothing=1 dir
expect 2 "$lvl" check -j x dir
expect 2 "$lvl" check -o x dir
expect 2 "$lvl" info --json=yes dir
expect 2 "$lvl" set dir/one.wwd name=x
err_has "-i (in place)" "set without -o"
expect 2 "$lvl" set dir/one.wwd name -i
for o in "convert dir -o" "repair dir -o" "render dir/one.wwd -o" "extract dir/one.wwd -o" "diff dir/one.wwd dir/one.wwd --image"; do
    # shellcheck disable=SC2086
    expect 2 "$lvl" $o ""
    err_has "expected the name of a file or folder" "$o ''"
done
# names as long as a name may be: saved, replaced, changed in place; no temporary file left
long=$(printf '%0245d' 0).wwd
mkdir long
expect 0 "$lvl" set dir/one.wwd name=x -o "long/$long"
expect 0 "$lvl" set dir/one.wwd name=y -y -o "long/$long"
expect 0 "$lvl" set "long/$long" name=z -i
expect 0 "$lvl" get "long/$long" name
out_has z "a file with a long name"
[ "$(ls -A long)" = "$long" ] || fail "left beside a file with a long name: $(ls -A long)"
expect 2 "$lvl" set dir/one.wwd name=x -i -o y
expect 2 "$lvl" get dir/one.wwd
expect 2 "$lvl" get dir/one.wwd nam
err_has 'did you mean name' "get nam"
expect 2 "$lvl" help nonsense
expect 2 "$lvl" formats --schema nonsense
expect 2 "$lvl" render dir --size x -o y

# environment, foreign, streams
expect 3 "$lvl" info nowhere.wwd
err_has "nowhere.wwd: can't open: No such file" "a file that isn't there"
silent out "a file that isn't there"
expect 4 "$lvl" info dir/readme.txt
err_has "unknown format" readme.txt
expect 0 "$lvl" info dir/one.wwd
silent err "info of a good file"
out_has "dir/one.wwd: " info
cp out plain
expect 0 "$lvl" dir/one.wwd
cmp -s out plain || fail "lvl FILE is not lvl info FILE"
expect 0 "$lvl" --color always info dir/one.wwd
cmp -s out plain && fail "--color always has no colour"
"$lvl" info - <dir/one.wwd >out || fail "info of stdin"
out_has "-: " "info -"
expect 3 "$lvl" info dir/one.wwd nowhere.wwd dir/readme.txt
out_has "dir/one.wwd: " "a batch with bad files"
err_has "1 file looked at, 2 failed" "the count line"
expect 4 "$lvl" info dir/one.wwd dir/readme.txt
expect 3 sh -c "'$lvl' info dir/one.wwd >/dev/full"
expect 1 "$lvl" render dir/one.wwd --plane Sky -o sky.png
err_has "no plane \`Sky', expected one of: Action" "a plane that is not there"
expect 2 "$lvl" render dir/one.wwd --overlay grid,nosuch -o sky.png
err_has "--overlay: got \`nosuch', expected one of: grid " "a wrong item of a list"
expect 2 "$lvl" render dir/one.wwd --sixe 64 -o sky.png
err_has "lvl: there is no option --sixe; did you mean --size?" "an option that is not there"
expect 2 "$lvl" get dir/one.wwd 'planes[*][name=Action].name'
err_has "expected one [ ] for a list" "two selections of a list"
expect 1 "$lvl" convert dir/one.wwd -o one.nw
err_has "cannot convert WAP32 level (Claw, Gruntz, Get Medieval) to nw, only to: json" "a conversion that is not there"
expect 1 "$lvl" convert dir --to nw -o none
err_has "give the name of a file to see why" "a conversion that is not there, in bulk"
expect 3 "$lvl" pack nowhere -o p.levelpack
err_has "nowhere: there is no such folder" "pack of nothing"

expect 3 "$lvl" info --art nowhere dir/one.wwd
err_has "--art nowhere" "art that isn't there"
expect 0 env LVL_ART=nowhere "$lvl" info dir/one.wwd
expect 0 "$lvl" info --art dir dir/one.wwd

# folders: sorted, hidden skipped, foreign counted
expect 0 "$lvl" info dir
err_has "3 files looked at, 0 failed; 1 foreign skipped" "a folder"
grep -n 'wwd:' out | cut -d: -f2 >names
printf 'dir/Three.wwd\ndir/one.wwd\ndir/sub/two.wwd\n' | cmp -s - names || fail "order of a folder: $(cat names)"
grep -q Hidden out && fail "hidden files were read"
expect 0 "$lvl" info -q dir
silent err "info -q"
expect 0 "$lvl" info -v dir
err_has "readme.txt: skipped" "-v"
mkdir empty
expect 1 "$lvl" info empty
ln -s ../dir dir/loop
expect 0 "$lvl" info dir
err_has "3 files looked at" "a folder with a link round and round"
rm dir/loop

# JSON: one object a line, each of them JSON
expect 0 "$lvl" info --json dir
[ "$(wc -l <out)" = 3 ] || fail "info --json: not three lines"
grep -vq '^{"file":"dir/.*}$' out && fail "info --json: odd line"
expect 0 "$lvl" get --json dir name
out_has '{"file":"dir/one.wwd","path":"name","value":"One"}' "get --json of a folder"
expect 0 "$lvl" get --json dir/one.wwd name
out_has '{"file":"dir/one.wwd","path":"name","value":"One"}' "get --json of a file"
expect 0 "$lvl" get dir name
out_has 'dir/sub/two.wwd: Two' "get of a folder"
expect 0 "$lvl" get dir/one.wwd name 'planes[0].objects[0].x'
printf 'One\n5\n' | cmp -s - out || fail "get"
expect 1 "$lvl" get dir/one.wwd 'planes[7].name'
expect 0 "$lvl" formats --json
out_has '"can":["read"' "formats --json"

# what goes to a terminal can't drive it, nor turn text round; pipes get it as it is
if command -v script >/dev/null; then
    mkdir tty
    printf 'GLEVNW01\nNPC a\033[2Jb.png 30 20\nNPCEND\nNPC \342\200\256gnp.c 1 2\nNPCEND\nSIGN 1 2\nHi\nyou\nSIGNEND\n' >tty/a.nw
    cp tty/a.nw "tty/$(printf 'x\342\200\256wn.nw')"
    expect 0 "$lvl" get --encoding utf-8 tty/a.nw 'npcs[*].image' 'signs[0].text'
    printf 'a\033[2Jb.png\n\342\200\256gnp.c\nHi\nyou\n' | cmp -s - out || fail "get into a pipe changes texts"
    for what in 'get --encoding utf-8 tty npcs[*].image signs[0].text' 'info tty' 'info --summary tty' 'check -v tty' \
        'diff --encoding utf-8 tty/a.nw form.nw' 'explain --all tty/a.nw' 'dump --encoding utf-8 tty/a.nw' 'set tty npcs[*].imgae=x -i'; do
        TERM=xterm script -qec "$lvl $what" typescript </dev/null >raw 2>&1
        [ -s raw ] || fail "no output on a terminal: $what"
        sed "s/$(printf '\033')\[[0-9;]*m//g; s/$(printf '\r\033')\[K//g" raw | grep -q "$(printf '\033')" && fail "an escape on a terminal: $what"
        grep -q "$(printf '\342\200\256')" raw && fail "text turned round on a terminal: $what"
    done
    # an object on a terminal: what differs from its default; the rest with --all, and always in other forms
    object='planes[0].objects[0]'
    expect 0 "$lvl" get dir/one.wwd "$object"
    out_has '"health":0,' "get into a pipe is complete"
    for all in '' --all --json --paths; do
        TERM=xterm script -qec "$lvl get $all dir/one.wwd $object" typescript </dev/null >raw 2>&1
        grep -qF '"x":5' raw || fail "get $all on a terminal: $(cat raw)"
        grep -qF '"health":0,' raw && have=all || have=
        [ "$have" = "${all:+all}" ] || fail "get $all of a record on a terminal: $(cat raw)"
    done
    TERM=xterm script -qec "$lvl get --encoding utf-8 tty/a.nw npcs[*].image" typescript </dev/null >raw 2>&1
    printf 'GLEVNW01\nNPC a.png 1 2\nNPC b.png 3 4\nNPCEND\n' >tty/bad.nw
    TERM=xterm script -qec "$lvl check tty/bad.nw; $lvl set tty/bad.nw npcs[9].x=1 -i" typescript </dev/null >colored 2>&1
    for color in '31merror' '31mdamaged'; do
        grep -qF "$(printf '\033')[1;$color" colored || fail "no colour on a terminal: $(cat -v colored)"
    done
    grep -qF 'x1b' colored && fail "our own colours are escaped: $(cat -v colored)"
    grep -qF 'a\x1b[2Jb.png' raw && grep -qF '\u202egnp.c' raw || fail "how a terminal shows what is escaped"
fi

# dump, undump, batches into a folder
expect 0 "$lvl" dump dir -o dumps
[ -f dumps/one.wwd.json ] && [ -f dumps/sub/two.wwd.json ] || fail "dump -o DIR keeps the tree"
[ -e dumps/readme.txt.json ] && fail "a foreign file was dumped"
expect 0 "$lvl" undump dumps -o back
for f in one.wwd Three.wwd sub/two.wwd; do
    cmp -s dir/$f back/$f || fail "dump and undump: $f"
done
# files of a server keep the names by which it knows them, though no format has all files that end in .txt
expect 0 "$lvl" dump "$samples/graal/server" "$samples/small/small.tiledefs.txt" -o served
expect 0 "$lvl" undump served -o server
cmp -s server/small.tiledefs.txt "$samples/small/small.tiledefs.txt" && diff -r server/server "$samples/graal/server" >/dev/null ||
    fail "dump and undump of a server's folder: $(find server -type f | tr '\n' ' ')"
"$lvl" dump "$samples/graal/server/config/serveroptions.txt" -o served/named.json && expect 0 "$lvl" undump served/named.json -o server/
[ -f server/named.serveroptions.txt ] || fail "the ending of a format is cut off: $(ls server)"
"$lvl" dump dir/one.wwd | "$lvl" undump - >same.wwd || fail "dump | undump"
# a pipe without a name, as a shell gives to -o >(program)
if [ -z "$windows" ] && [ -e /dev/stdout ]; then
    "$lvl" dump dir/one.wwd -o /dev/stdout 2>"$said/err" | cmp -s - dumps/one.wwd.json || fail "-o /dev/stdout, a pipe: $(cat "$said/err")"
fi
cmp -s same.wwd dir/one.wwd || fail "dump | undump differs"
echo '{"lvl":1,"format":"wwd","doc":{"nam":1}}' >bad.json
expect 1 "$lvl" undump bad.json -o bad.wwd
err_has "did you mean" "undump of an unknown key"
[ -e bad.wwd ] && fail "undump of a bad dump wrote a file"
expect 1 "$lvl" undump dir/one.wwd -o bad.wwd
expect 0 "$lvl" convert dir/one.wwd -o one.json
expect 0 "$lvl" convert one.json -o conv.wwd
cmp -s conv.wwd dir/one.wwd || fail "convert to JSON and back"
expect 2 "$lvl" convert dir/one.wwd
expect 2 "$lvl" convert dir/one.wwd -o x.nonsense
expect 2 "$lvl" convert dir/one.wwd --to gr-v9.99 -o x
expect 1 "$lvl" convert dir/one.wwd --to nw -o x.nw

# from one form of a family to another, each loss named
{
    printf 'GLEVNW01\n'
    row=AAAA && for i in 1 2 3 4 5; do row=$row$row; done
    for y in $(seq 0 63); do printf 'BOARD 0 %d 64 0 %s\n' "$y" "$row"; done
    printf 'NPC door.png 30 20\nhide;\nNPCEND\n'
} >form.nw
expect 0 "$lvl" convert form.nw --to gr-v1.03 -o form.graal
[ "$(head -c 8 form.graal)" = GR-V1.03 ] || fail "the form that was asked for"
expect 0 "$lvl" diff form.nw form.graal
expect 0 "$lvl" convert form.graal -o form2.nw
cmp form.nw form2.nw || fail "another form and back"
expect 0 "$lvl" convert form.graal --to gr-v1.03 -o form2.graal
cmp form.graal form2.graal || fail "the form that it has already"
expect 1 "$lvl" convert form.graal --to z3-v1.04 -o form.zelda
grep -q 'npcs\[0\]' err || fail "a loss has its place"
grep -q -- '--allow-loss writes the nearest value or leaves it out' err || fail "what to do about a loss"
[ ! -e form.zelda ] || fail "nothing is written where something would be lost"
expect 1 "$lvl" convert form.graal --json -o form.zelda
grep -q '"refused":true,"losses":\[{"id":' out || fail "losses as JSON"
expect 0 "$lvl" convert form.graal --allow-loss -o form.zelda
[ "$(head -c 8 form.zelda)" = Z3-V1.04 ] || fail "the newest form with that ending"
mkdir side_a side_b && cp form.nw side_a/x.nw && cp form.graal side_b/x.graal
expect 0 "$lvl" diff side_a side_b
cp form.nw side_b/x.txt
expect 1 "$lvl" diff side_a side_b
mkdir forms && cp form.nw form.graal dir/one.wwd forms
expect 0 "$lvl" convert forms --to GR-V1.02 -o formed
[ -f formed/form.nw.graal ] && [ -f formed/form.graal.graal ] || [ -f formed/form.graal ] || fail "a folder into a form"

# scripts and signs as files of their own, and back
mkdir levels
printf 'GLEVNW01\nNPC door.png 30 20\nif (playertouchsme) {\n  hide;\n}\nNPCEND\nSIGN 1 2\nHello!\nSIGNEND\n' >levels/a.nw
printf 'GLEVNW01\nNPC - 1 2\nsay2 \351;\nNPCEND\n' >levels/b.nw
expect 0 "$lvl" extract --scripts --signs --list levels/a.nw
grep -q 'npc-000-door.txt' out || fail "extract --list shows the parts"
expect 0 "$lvl" extract --scripts --signs levels -o parts
[ "$(cat parts/b.nw/npc-000.txt)" = "$(printf 'say2 \303\251;')" ] || fail "a script in UTF-8"
expect 0 "$lvl" pack parts levels -o same
diff -r levels same || fail "parts there and back"
printf 'timeout = 1;\r\n' >>parts/a.nw/npc-000-door.txt
expect 0 "$lvl" pack parts/a.nw levels/a.nw -o changed.nw
expect 1 "$lvl" diff levels/a.nw changed.nw
grep -q '^      +timeout = 1;$' out || fail "a script's changed line"
grep -q ' hide;$' out || fail "lines around a change"
touch parts/a.nw/npc-007.txt
expect 1 "$lvl" pack parts/a.nw levels/a.nw -i
grep -q 'npc-007.txt: there is no such part; the last one of its kind is npc-000' err || fail "a part that isn't there"
cmp -s levels/a.nw same/a.nw || fail "parts all or none"
expect 1 "$lvl" extract --scripts dir/one.wwd -o x
expect 1 "$lvl" extract levels/a.nw -o x
expect 2 "$lvl" extract --scripts levels/a.nw
expect 2 "$lvl" pack parts -i
expect 2 "$lvl" pack parts levels
expect 3 "$lvl" pack nowhere levels -i

# never overwrites without -y; in place; symbolic links and modes
expect 3 "$lvl" dump dir/one.wwd -o one.json
err_has "already exists; -y" overwriting
expect 0 "$lvl" dump dir/one.wwd -o one.json -y
cp dir/one.wwd edit.wwd
chmod 640 edit.wwd
ln -s edit.wwd link.wwd
expect 0 "$lvl" set link.wwd 'name=New' 'planes[0].objects[0].x=0x10' -i
silent out "set -i"
[ -L link.wwd ] || fail "set -i replaced a link"
[ "$(stat -c %a edit.wwd)" = 640 ] || fail "set -i lost the mode"
[ "$("$lvl" get edit.wwd name)" = New ] || fail "set name"
[ "$("$lvl" get edit.wwd 'planes[0].objects[0].x')" = 16 ] || fail "set x"
cp edit.wwd before.wwd
expect 2 "$lvl" set edit.wwd 'name=Other' 'planes[0].nonsense=1' -i
cmp -s edit.wwd before.wwd || fail "set is not all or none"
expect 0 "$lvl" set edit.wwd --unset 'planes[0].objects[0]' -o less.wwd
expect 1 "$lvl" get less.wwd 'planes[0].objects[0].x'
expect 3 "$lvl" set edit.wwd name=x -o less.wwd
expect 2 "$lvl" set - name=x -i
expect 3 "$lvl" set edit.wwd name=x -o nowhere/less.wwd

# two inputs that would go to one place
mkdir -p a/x b/x
cp dir/one.wwd a/x/l.wwd
cp dir/one.wwd b/x/l.wwd
expect 2 "$lvl" dump a/x/l.wwd b/x/l.wwd -o clash
expect 0 "$lvl" dump a b -o apart
[ -f apart/a/x/l.wwd.json ] && [ -f apart/b/x/l.wwd.json ] || fail "two folders into one"
expect 2 "$lvl" dump a b -o edit.wwd

# archives: pack, list, extract, members; nothing is written outside
mkdir -p pk/sub pk/empty pk/.git
cp dir/one.wwd pk/one.wwd
cp dir/sub/two.wwd pk/sub/two.wwd
echo hidden >pk/.git/x
expect 0 "$lvl" pack pk -o p.rez
err_has "2 files packed" pack
expect 3 "$lvl" pack pk -o p.rez
cp p.rez first.rez
expect 0 "$lvl" pack pk -o p.rez -y
cmp -s p.rez first.rez || fail "packing twice gives two archives"
expect 2 "$lvl" pack pk -o p.nonsense
expect 3 "$lvl" pack nowhere -o q.rez
expect 2 "$lvl" pack pk
expect 0 "$lvl" extract -l p.rez
out_has "SUB/TWO.WWD" "extract --list"
expect 0 "$lvl" extract -l --json p.rez
out_has '"path":"SUB/TWO.WWD","size":' "extract --list --json"
expect 0 "$lvl" extract p.rez -o unpacked
cmp -s unpacked/SUB/TWO.WWD dir/sub/two.wwd || fail "extract"
[ -d unpacked/EMPTY ] || fail "extract: an empty folder"
expect 3 "$lvl" extract p.rez -o unpacked
expect 0 "$lvl" extract p.rez -o unpacked -y
expect 0 "$lvl" extract p.rez sub -o part
[ -f part/SUB/TWO.WWD ] && [ ! -e part/ONE.WWD ] || fail "extract of one folder"
expect 1 "$lvl" extract p.rez nothing -o part
expect 1 "$lvl" extract p.rez SUB/TOW.WWD -o part
err_has "did you mean SUB/TWO.WWD?" "a member by a wrong name"
expect 0 "$lvl" extract p.rez '*/T?O.*' -o like
[ -f like/SUB/TWO.WWD ] && [ ! -e like/ONE.WWD ] || fail "extract by a pattern"
expect 0 "$lvl" extract p.rez SUB/TWO.WWD -o -
cmp -s out dir/sub/two.wwd || fail "a member on standard output"
expect 1 "$lvl" extract p.rez SUB -o -
expect 2 "$lvl" extract p.rez -o -
expect 2 "$lvl" explain dir/one.wwd 0x20
err_has "--at 0x20" "a place without --at"
expect 2 "$lvl" extract p.rez
expect 4 "$lvl" extract dir/readme.txt -l
expect 1 "$lvl" extract dir/one.wwd -l
expect 0 "$lvl" get p.rez//SUB/TWO.WWD name
printf 'Two\n' | cmp -s - out || fail "a member"
expect 0 "$lvl" get p.rez//sub/two.wwd name
expect 0 "$lvl" info p.rez//
err_has "2 files looked at" "all members"
expect 1 "$lvl" info p.rez//sub/three.wwd
err_has "no such member" "a member that isn't there"
expect 4 "$lvl" info dir/one.wwd//x
mkdir outer
cp p.rez outer/inner.rez
expect 0 "$lvl" pack outer -o outer.rez
expect 0 "$lvl" get outer.rez//INNER.REZ//SUB/TWO.WWD name
printf 'Two\n' | cmp -s - out || fail "a member of a member"
# members are changed in place: in archives, in archives in them, several at once, and all or none
expect 0 "$lvl" set outer.rez//INNER.REZ//SUB/TWO.WWD name=Changed -i
expect 0 "$lvl" get outer.rez//INNER.REZ//SUB/TWO.WWD name
printf 'Changed\n' | cmp -s - out || fail "a member of a member changed in place"
expect 0 "$lvl" get p.rez//SUB/TWO.WWD name
printf 'Two\n' | cmp -s - out || fail "another archive was changed"
cp p.rez all.rez
expect 0 "$lvl" set all.rez// author=Us -i
expect 0 "$lvl" get all.rez//SUB/TWO.WWD author
printf 'Us\n' | cmp -s - out || fail "all members changed in place"
expect 0 "$lvl" extract all.rez -o all-out
expect 2 "$lvl" set p.rez//SUB/TWO.WWD nosuch=x -i
cmp -s p.rez outer/inner.rez || fail "a change that failed wrote something"
mkdir -p wins/p.rez
cp dir/one.wwd wins/p.rez/m.wwd
expect 0 "$lvl" get wins//p.rez//m.wwd name
printf 'One\n' | cmp -s - out || fail "a path that exists wins"
expect 0 "$lvl" set p.rez 'entries[name=ONE].type=' 'entries[name=ONE].name=..' -o evil1.rez
expect 0 "$lvl" set p.rez 'entries[name=SUB].name=..' -o evil2.rez
expect 0 "$lvl" set p.rez 'entries[name=SUB].name=../../up' -o evil3.rez
mkdir -p jail/in
for n in 1 2 3; do
    "$lvl" extract evil$n.rez -o jail/in/x >out 2>err
    code=$?
    "$lvl" convert evil$n.rez// --to json -o jail/in/y >out 2>err
    [ "$(cd jail && find . -mindepth 1 -maxdepth 2 | grep -vE '^\./in(/[xy])?$')" = "" ] || fail "evil$n.rez wrote outside: $(find jail)"
    [ $n = 3 ] || [ $code = 1 ] || fail "evil$n.rez: exit $code, not 1"
done

# pictures: to PNG and back
if [ -f "$samples/wwd/art/hermit.pid" ]; then
    cp "$samples/wwd/art/hermit.pid" "$samples/wwd/art/main.pal" .
    expect 0 "$lvl" convert hermit.pid -o hermit.png
    expect 0 "$lvl" convert hermit.pid --palette main.pal -o hermit_colour.png
    cmp -s hermit.png hermit_colour.png && fail "--palette changes nothing"
    expect 0 "$lvl" convert hermit.png -o hermit2.pid
    expect 0 "$lvl" convert hermit2.pid -o hermit2.png
    cmp -s hermit.png hermit2.png || fail "PNG to picture and back"
    expect 3 "$lvl" convert hermit.pid --palette nowhere -o x.png
    expect 1 "$lvl" convert hermit.pid --palette dir/one.wwd -o x.png
    expect 1 "$lvl" convert dir/one.wwd -o x.png
    err_has "lvl render" "a level to PNG"
    mkdir pics
    cp hermit.pid pics/a.pid
    cp hermit.pid pics/b.pid
    cp hermit.png pics/b.png
    expect 0 "$lvl" convert pics --to pid -o pids
    [ "$(find pids -type f | wc -l)" = 3 ] || fail "names that differ by their endings only: $(ls pids)"
fi

# animations
mkdir film
cat >film/walk.gani <<'END'
GANI0001
SPRITE 1 BODY 0 0 16 16 body
SPRITE 2 HEAD 0 0 12 12 head
LOOP
ANI
 1 0 0
 1 0 0
 1 0 0, 2 2 -8
 1 0 0

 1 0 1
 1 0 1
 1 0 1, 2 2 -7
 1 0 1
ANIEND
END
wide() { od -An -tu1 -j16 -N8 "$1" | awk '{print ($3*256+$4) "x" ($7*256+$8)}'; }
expect 0 "$lvl" render film/walk.gani -o one.png
[ "$(wide one.png)" = 16x25 ] || fail "a frame: $(wide one.png)"
expect 0 "$lvl" render film/walk.gani --sheet -o sheet.png -q
[ "$(wide sheet.png)" = 32x100 ] || fail "a sheet: $(wide sheet.png)"
expect 0 "$lvl" render film/walk.gani --sheet --direction up --scale 2 -o row.png -q
[ "$(wide row.png)" = 64x50 ] || fail "a sheet of one direction: $(wide row.png)"
expect 0 "$lvl" render film/walk.gani -o walk.apng -q
grep -q acTL walk.apng || fail "-o .apng is no animated PNG"
expect 0 "$lvl" render film/walk.gani --apng --with skin=pink --with head=head3.png -o film.png -q
expect 0 "$lvl" render film --apng -o films -q
[ -f films/walk.apng ] || fail "a folder of films"
expect 0 "$lvl" render film/walk.gani --frame 1 --direction up -o other.png -q
cmp -s one.png other.png && fail "--frame changes nothing"
expect 1 "$lvl" render film/walk.gani --frame 2 -o x.png -q
err_has "there are 2" "a frame too far"
sed 's/^ 1 0 1$/ 1 3 1/' film/walk.gani >moved.gani
expect 1 "$lvl" diff film/walk.gani moved.gani --image moved.png -q
[ -s moved.png ] || fail "a difference of animations isn't drawn"
expect 2 "$lvl" render film/walk.gani --direction inwards -o x.png
expect 2 "$lvl" render film/walk.gani --sheet --apng -o x.png
for all in --sheet --apng --gif; do
    expect 2 "$lvl" render film/walk.gani --frame 0 $all -o x.png
    err_has "--frame (one frame) excludes --sheet, --apng and --gif" "--frame with $all"
done
expect 1 "$lvl" render film/walk.gani --sheet --limit cells=10 -o x.png -q
err_has "too large for one picture; use --apng, --gif, --direction, --size or \`--scale 1/N'" "a sheet beyond the limit"
expect 2 "$lvl" render film/walk.gani --with head -o x.png
expect 2 "$lvl" render film/walk.gani --with coat=plaid -o x.png
err_has "colour" "a colour that is none"
expect 1 "$lvl" render dir/one.wwd --sheet -o x.png -q
err_has "not an animation" "a sheet of a level"
[ ! -e x.png ] || fail "a refused picture was written"

# drawing
if [ -f "$samples/wwd/cliffs.wwd" ]; then
    cp "$samples/wwd/cliffs.wwd" .
    size() { od -An -tu1 -j16 -N8 "$1" | awk '{print ($3*256+$4) "x" ($7*256+$8)}'; }
    expect 0 "$lvl" render cliffs.wwd -o whole.png
    [ "$(size whole.png)" = 3840x896 ] || fail "size of the whole: $(size whole.png)"
    expect 0 "$lvl" render cliffs.wwd --size 100 -o - -q
    cp out small.png
    [ "$(size small.png)" = 100x23 ] || fail "--size 100: $(size small.png)"
    expect 0 "$lvl" render cliffs.wwd --size 1000x20 -o small2.png -q
    [ "$(size small2.png)" = 85x20 ] || fail "--size 1000x20: $(size small2.png)"
    expect 0 "$lvl" render cliffs.wwd --view 320x200 -o view.png -q
    [ "$(size view.png)" = 320x200 ] || fail "--view: $(size view.png)"
    expect 0 "$lvl" render cliffs.wwd --region 64,64,128,96 --scale 2 -o region.png -q
    [ "$(size region.png)" = 256x192 ] || fail "--region --scale: $(size region.png)"
    expect 0 "$lvl" render cliffs.wwd --plane Sky --json -o sky.png -q
    out_has '{"file":"cliffs.wwd","output":"sky.png"}' "render --json"
    expect 0 "$lvl" render cliffs.wwd --plane 0 -o sky0.png -q
    same_pixels sky.png sky0.png || fail "a plane by name and by number"
    expect 0 "$lvl" render cliffs.wwd --hide objects,Front -o hidden.png -q
    cmp -s whole.png hidden.png && fail "--hide hides nothing"
    expect 1 "$lvl" render cliffs.wwd --plane Nonsense -o x.png -q
    [ -e x.png ] && fail "a file without a picture"
    expect 1 "$lvl" render cliffs.wwd --region 99999,0,5,5 -o x.png -q
    expect 2 "$lvl" render cliffs.wwd --plane 0 --camera 1,1 -o x.png
    expect 2 "$lvl" render cliffs.wwd --overlay nonsense -o x.png
    # refused WANT OPTION VALUE: a wrong value ends with code 2, and the message has what was expected
    refused() {
        expect 2 "$lvl" render cliffs.wwd "$2" "$3" -o x.png
        err_has "$2: expected $1, got \`$3'" "$2 $3"
    }
    for value in 1,2,3 1,2,0,3 2147483647,0,1,1 a,b,c,d; do refused X,Y,WIDTH,HEIGHT --region "$value"; done
    for value in 0x5 5 5x0; do refused WIDTHxHEIGHT --view "$value"; done
    for value in 0 1/0 x; do refused 'N or 1/N' --scale "$value"; done
    refused X,Y --camera 3
    # a plane without a name is named by its number; of several levels, one without the plane has nothing to hide
    expect 0 "$lvl" set -q cliffs.wwd 'planes[0].name=' -o unnamed.wwd
    for option in --layers --hide; do
        expect 1 "$lvl" render unnamed.wwd $option Fog -o x.png -q
        err_has "no plane \`Fog', expected one of: 0, Clouds, Isles, Headland, Action, Front" "$option of a plane that is not there"
    done
    mkdir hidden
    cp cliffs.wwd unnamed.wwd hidden
    expect 0 "$lvl" render hidden --hide Sky -o hidden-png -q
    expect 0 "$lvl" render cliffs.wwd --hide Sky -o hidden.png -q -y
    same_pixels hidden-png/cliffs.png hidden.png || fail "--hide of several levels"
    expect 0 "$lvl" render unnamed.wwd -o unnamed.png -q
    same_pixels hidden-png/unnamed.png unnamed.png || fail "--hide of a level that lacks the plane"
    expect 2 "$lvl" render dir -o whole.png
    expect 2 "$lvl" render dir cliffs.wwd
    expect 3 "$lvl" render cliffs.wwd -o whole.png
    expect 3 "$lvl" render cliffs.wwd -o nowhere/x.png
    "$lvl" set cliffs.wwd 'planes["Action"].tiles[3,3]=7' 'name=x' -o changed.wwd || fail set
    expect 1 "$lvl" diff cliffs.wwd changed.wwd --image diff.png
    [ -s diff.png ] || fail "diff --image"
    expect 0 "$lvl" diff cliffs.wwd cliffs.wwd
    silent out "diff of the same"
    expect 1 "$lvl" diff --json cliffs.wwd changed.wwd
    out_has '"path":"name"' "diff --json"
    cp "$samples/sketchy/hill-v4.level" .
    expect 1 "$lvl" diff cliffs.wwd hill-v4.level
    out_has 'cliffs.wwd and hill-v4.level are of different formats: ' "diff of two formats"
    expect 1 "$lvl" diff --json cliffs.wwd hill-v4.level
    is out '{"file":"cliffs.wwd","change":"format","old":"wwd","new":"sketchy"}' "diff --json of two formats"
    expect 2 "$lvl" diff --size x cliffs.wwd changed.wwd
    err_has "--size: expected a number, got \`x'" "diff --size"
    expect 2 "$lvl" diff cliffs.wwd
    expect 3 "$lvl" diff cliffs.wwd dir
    expect 3 "$lvl" diff cliffs.wwd nowhere
    expect 3 "$lvl" diff nowhere cliffs.wwd
fi

# repair
if [ -f "$samples/wwd/damaged/truncated.wwd" ]; then
    cp "$samples/wwd/damaged/truncated.wwd" t.wwd
    cp t.wwd t0.wwd
    expect 1 "$lvl" check t.wwd
    out_has "error: wwd." "check of a damaged file"
    expect 2 "$lvl" repair t.wwd
    expect 0 "$lvl" repair --dry-run t.wwd
    cp out changes
    [ -s changes ] || fail "repair --dry-run lists nothing"
    expect 3 sh -c "'$lvl' render '$samples/wwd/cliffs.wwd' --size 64 -o - >/dev/full"
    [ "$(wc -l <err)" = 1 ] || fail "a full disk is reported once"
    expect 0 "$lvl" repair -q --dry-run t.wwd
    silent out "repair -q"
    silent err "repair -q"
    cmp -s t.wwd t0.wwd || fail "repair --dry-run wrote"
    expect 0 "$lvl" repair t.wwd -o t1.wwd
    cmp -s out changes || fail "repair and --dry-run list different changes"
    cmp -s t.wwd t0.wwd || fail "repair -o changed its input"
    expect 0 "$lvl" repair t.wwd -i
    cmp -s t.wwd t1.wwd || fail "repair -i and -o differ"
    expect 0 "$lvl" check --roundtrip t.wwd
    expect 0 "$lvl" repair t.wwd -i
    out_has "nothing to repair" "repair of what is repaired"
fi

# the same output for any -j
mkdir many
i=0
while [ $i -lt 60 ]; do
    cp dir/one.wwd many/$i.wwd
    [ $((i % 7)) = 0 ] && head -c $((i * 20 + 100)) dir/one.wwd >many/$i.wwd
    [ $((i % 11)) = 0 ] && echo foreign >many/$i.txt
    i=$((i + 1))
done
for verb in info dump 'get --json' explain 'check' 'check --json'; do
    what="many"
    [ "$verb" = 'get --json' ] && what="many name planes[*].name"
    # shellcheck disable=SC2086
    "$lvl" $verb -j1 $what >j1 2>e1
    c1=$?
    # shellcheck disable=SC2086
    "$lvl" $verb -j8 $what >j8 2>e8
    [ $? = $c1 ] || fail "$verb: code differs between -j1 and -j8"
    cmp -s j1 j8 || fail "$verb: output differs between -j1 and -j8"
    cmp -s e1 e8 || fail "$verb: stderr differs between -j1 and -j8"
done

# an edit that the file cannot hold is refused: an .ani step has a cue only if its flags say so
tried=$((tried + 1))
"$lvl" set "$samples/wwd/art/gull.ani" 'steps[0].cue=BELL' -o bell.ani 2>lost
[ $? = 1 ] && [ ! -e bell.ani ] && grep -q 'ani\.cue\.flag.*steps\[0\]' lost || fail "a value was lost silently: $(cat lost)"

# flags list their names
cliffs=$samples/wwd/cliffs.wwd
expect 2 "$lvl" set "$cliffs" 'planes[0].flags=main,foo' -o flags.wwd
err_has 'expected names joined by |, of: main, ' "a wrong flag"

# a map: blanks before the header and control characters in names are findings, a byte order mark is kept
printf ' GRMAP001\nWIDTH 1\nHEIGHT 1\nLEVELNAMES\n"a.nw"\nLEVELNAMESEND\n' >blank.gmap
expect 0 "$lvl" check blank.gmap
grep -q 'gmap\.header\.version' "$said/out" || fail "a blank before the header: $(cat "$said/out")"
printf 'GRMAP001\nWIDTH 1\nHEIGHT 1\nLEVELNAMES\n"a\000b.nw"\nLEVELNAMESEND\n' >nul.gmap
expect 0 "$lvl" check nul.gmap
grep -q 'gmap\.level\.name' "$said/out" || fail "NUL in a name: $(cat "$said/out")"
printf '\357\273\277"a.nw","b.nw"\r\n"c.nw","d.nw"\r\n' >mark.txt
expect 0 "$lvl" set mark.txt 'rows[1].names[0]=e.nw' -o mark2.txt
sed 's/c\.nw/e.nw/' mark.txt | cmp -s - mark2.txt || fail "a bigmap with a byte order mark: $(od -c mark2.txt | head -n 3)"
printf '\357\273\277GRMAP001\nWIDTH x\nLEVELNAMES\n"a.nw"\n' >marked.gmap
expect 0 "$lvl" repair marked.gmap -o marked2.gmap
[ "$(head -c 3 marked2.gmap | od -An -tx1 | tr -d ' ')" = efbbbf ] || fail "repair dropped the byte order mark"

# a layer that is not 64 by 64 is refused: its lines would be lost
printf 'GLEVNW01\nBOARD 0 0 2 0 AAAA\n// one\nBOARD 0 1 2 0 AAAA\n// two\nNPC - 1 1\nNPCEND\n' >between.nw
"$lvl" dump --compact between.nw | sed 's/"tiles":{[^}]*}/"tiles":{"width":4,"height":1,"size":2,"rows":["1 2 3 4"]}/' >between.json
expect 1 "$lvl" undump between.json -o small.nw
err_has 'expected 64 by 64 tiles (layers[0])' "a layer of 4 by 1"
[ ! -e small.nw ] || fail "a layer of 4 by 1 was written"

# what a line has beyond its words is a loss of a conversion, which is named
printf 'GLEVNW01 head\n// comment\nBOARD 0 0 64 0 %s\nCHEST 1 1 greenrupee 0 more\nSIGN 3 3 more\nhello\nSIGNEND\nlast\n' \
    "$(printf '%0128d' 0 | tr 0 A)" >words.nw
expect 1 "$lvl" convert words.nw --to gr-v1.05 -o words.graal
for part in 'loss\.unknown_line.*11 bytes' 'loss\.unknown_line.*5 bytes' 'loss\.spelling.*chests' 'loss\.spelling.*signs' \
    'loss\.spelling.*14 bytes'; do
    grep -q "$part" "$t/err" || fail "not named: $part: $(cat "$t/err")"
done
printf 'GRMAP001\nWIDTH 2\nHEIGHT 1\nLEVELNAMES\n"a.nw" x,"b.nw"\nLEVELNAMESEND\n' >words.gmap
expect 1 "$lvl" convert words.gmap --to bigmap -o words.txt
err_has 'gmap.loss.text' "text in a row of a map"
printf '"a.nw","b.nw"\n"c.nw","d.nw"\n' >rows.txt
expect 0 "$lvl" convert rows.txt --to gmap -o rows.gmap
[ "$(head -n 1 rows.gmap)" = GRMAP001 ] || fail "a bigmap as a gmap: $(cat rows.gmap)"
expect 0 "$lvl" convert rows.gmap --to bigmap -o rows2.txt
cmp -s rows.txt rows2.txt || fail "and back: $(cat rows2.txt)"

# a closed pipe is no news
tried=$((tried + 1))
{ "$lvl" dump many many many many many many many many 2>pipe_err; echo $? >pipe_code; } | head -c 10 >/dev/null
grep '^lvl:' pipe_err >noise && fail "a closed pipe makes noise: $(cat noise)"

finish
