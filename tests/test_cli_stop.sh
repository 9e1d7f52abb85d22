#!/bin/sh
# SIGINT and SIGTERM end a long verb soon: no output, no temporary file, and the exit code that shells expect after a signal.
. "$(dirname "$0")/support/shell.sh"
set -e

# 4000 x 3000 tiles: 49 gigapixels at full size, which take minutes
{
    printf '{"lvl":1,"format":"wwd","doc":{"planes":[{"flags":"main","tiles":{"width":4000,"height":3000,"rows":['
    i=1
    while [ $i -lt 3000 ]; do
        printf '"%d*4000",' $i
        i=$((i + 1))
    done
    printf '"1*4000"]}}]}}'
} >large.json
expect 0 "$lvl" undump large.json -o large.wwd

# stops SIGNAL CODE ARGUMENTS...: on a busy machine a verb may be done before the signal comes; then it is tried again.
# The verb runs at low priority, so that the signal comes in time, and ends after 60 s of the processor's time, which do
# not depend on the machine's load: one that ignores the signal ends by another.
stops() {
    tried=$((tried + 1))
    for _ in 1 2 3 4 5 6; do
        try_stop "$@" && return
    done
    fail "ended before the signal came: $*"
}
try_stop() {
    number=$1 want=$2
    shift 2
    # until it catches this signal: one that comes earlier ends it at once, or is ignored as in all background jobs
    case $number in
    INT) caught='[2367abef]' ;;    # bit 1
    TERM) caught='[4-7c-f]...' ;; # bit 14
    esac
    (
        ulimit -t 60
        exec nice -n 19 "$lvl" "$@" >/dev/null 2>err
    ) &
    id=$!
    while grep -q '^State:.*[^Z ] (' /proc/$id/status 2>/dev/null; do
        ! grep -q "^SigCgt:.*$caught\$" /proc/$id/status 2>/dev/null || break
        sleep 0.02
    done
    kill -s "$number" $id 2>/dev/null || :
    code=0
    wait $id || code=$?
    if [ $code -le 1 ]; then
        rm -f out out.*
        return 1
    fi
    [ $code = "$want" ] || { fail "exit $code, not $want: $number at: $*"; cat err; }
    left=$(ls -A | grep -v -x -e 'large\.[a-z]*' -e out -e err || true)
    [ -z "$left" ] || fail "$number at: $* left $left"
}
for signal in INT:130 TERM:143; do
    stops ${signal%:*} ${signal#*:} render large.wwd --limit cells=1000G -o out.png
    stops ${signal%:*} ${signal#*:} render large.wwd --limit cells=1000G -o -
    stops ${signal%:*} ${signal#*:} render large.wwd --limit cells=1000G --size 30000 -o out.png
done

# one large file of each family, in every verb that reads one
awk 'BEGIN {
    print "GLEVNW01"
    for (i = 0; i < 400000; i++)
        printf "NPC - %d %d\nif (playerenters) { say %d; }\nNPCEND\n", i % 64, int(i / 64) % 64, i
}' >large.nw
awk 'BEGIN {
    printf "{\"version\":1,\"pageType\":1,\"chunks\":[],\"palette\":{\"swatches\":[]},\"actors\":{"
    for (i = 0; i < 300000; i++)
        printf "%s\"%08x-0000-4000-8000-000000000000\":{\"filename\":\"a.doodad\",\"point\":\"%d,1\"}",
            i ? "," : "", i, i
    print "}}"
}' >large.level
for file in large.nw large.level large.wwd; do
    for verb in check explain dump; do
        stops TERM 143 $verb $file
    done
    [ $file = large.wwd ] || stops TERM 143 info $file # of a WWD only the header is read
    stops TERM 143 diff $file $file
    stops INT 130 repair $file -o out.${file#*.}
done
stops TERM 143 set large.nw 'npcs[*].x=3' -o out.nw
stops TERM 143 convert large.nw -o out.zelda
stops TERM 143 convert large.level -o out.png

# What a stopped run saved is what it lists. The pipe is full, so threads are ahead of what is printed when the signal comes.
mkdir many
dir=$PWD/many/$(printf '%0200d' 0)
mkdir "$dir"
i=0
while [ $i -lt 1500 ]; do
    cp "$samples/graal/lakeside/lakeside.gmap" "$dir/map$i.gmap"
    i=$((i + 1))
done
mkfifo pipe
"$lvl" set -j 3 --json -i "$dir" map_image=x.png >pipe 2>err &
id=$!
exec 3<pipe
count_changed() { grep -l '^MAPIMG x' "$dir"/*.gmap | wc -l; }
was=0
for _ in $(seq 120); do # until no thread goes on
    sleep 0.5
    now=$(count_changed)
    [ "$now" = 0 ] || [ "$now" != "$was" ] || break
    was=$now
done
kill -s TERM $id
cat <&3 >listed
code=0
wait $id || code=$?
exec 3<&-
changed=$(count_changed)
[ $code = 143 ] || { fail "exit $code of a run over files that was stopped"; cat err; }
[ "$changed" -lt 1500 ] || fail "all files were changed before the signal came"
[ "$changed" = "$(grep -c '"output"' listed)" ] || fail "$changed files changed, and $(grep -c '"output"' listed) listed"

# a save that waits for the reader of a pipe, in a file or in a run over files, ends by the first signal
set +e
mkfifo nobody
mkdir two outs
cp "$samples/graal/lakeside/lake_woods.nw" two/a.nw
cp "$samples/graal/lakeside/lake_woods.nw" two/b.nw
ends_soon() {
    tried=$((tried + 1))
    "$lvl" "$@" >/dev/null 2>err &
    id=$!
    sleep 1
    if ! kill -s TERM $id 2>/dev/null; then
        fail "ended before the signal came: $*"
        return
    fi
    code=0
    (sleep 20 && kill -s KILL $id) 2>/dev/null &
    watch=$!
    wait $id || code=$?
    kill $watch 2>/dev/null || :
    wait $watch 2>/dev/null || :
    [ $code = 143 ] || fail "exit $code of a run that waits for a pipe: $*"
}
ends_soon dump two/a.nw -o nobody
ends_soon dump two/a.nw -o nobody -y
# what a folder has of pipes and devices, and links to them, is skipped and named; an output that leads to one is refused
ln -s ../nobody two/c.nw
ln -s /dev/zero two/d.nw
for verb in check info 'repair -o fixed'; do
    expect 0 "$lvl" $verb two
    err_has "two/c.nw: skipped: a pipe or device" "$verb"
    err_has "two/d.nw: skipped: a pipe or device" "$verb"
done
mkfifo outs/a.nw
expect 3 "$lvl" repair two -o outs -y
err_has "outs/a.nw: not written: it is a pipe or device"
[ -f outs/b.nw ] || fail "one output is a pipe, and the other is not written"

finish
