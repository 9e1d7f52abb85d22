#!/bin/sh
# Archives of other programs are like folders: their members are read by every verb, and never changed.
. "$(dirname "$0")/support/shell.sh"
command -v python3 >/dev/null || { echo "skipped: there is no python3" && exit 77; }
says() {
    grep -qF -- "$1" err || { fail "expected the message: $1"; head -n 5 err; }
}
mkdir levels && cp "$samples"/graal/lakeside/lake_m*.nw "$samples"/wwd/damaged/truncated.wwd levels
cp "$samples/wwd/cliffs.wwd" levels/Größe.wwd
python3 - <<'P'
import tarfile, zipfile, os
names = sorted(os.listdir("levels"))
with zipfile.ZipFile("a.zip", "w", zipfile.ZIP_DEFLATED) as z:
    for n in names: z.write("levels/" + n)
    z.writestr("../out.nw", open("levels/lake_mill.nw", "rb").read())
    z.writestr("notes.txt", "nothing")
with tarfile.open("a.tar.xz", "w:xz") as t: t.add("levels")
with tarfile.open("a.tar", "w") as t: t.add("levels")
with tarfile.open("a.tar.gz", "w:gz") as t: t.add("levels")
with zipfile.ZipFile("nested.zip", "w") as z: z.write("a.zip", "backup/2004.zip")
with zipfile.ZipFile("bomb.zip", "w", zipfile.ZIP_DEFLATED) as z: z.writestr("zeros.wwd", bytes(400 << 20))
P

# Two bytes may begin an archive of cpio or arj, or a palette.
for first in '\307\161' '\140\352'; do
    { printf "$first" && head -c 766 /dev/zero; } >two.pal
    expect 0 "$lvl" check two.pal
done

# libarchive is opened by its name when an archive is read: without it a message names the package, and all else works.
name=$(grep -aoE 'libarchive\.so\.[0-9]+' "$lvl" | head -n 1) || :
if [ -n "$name" ]; then
    ! ldd "$lvl" | grep -q libarchive || fail "libarchive is linked"
    LC_ALL=C sed "s/$name/$(echo "$name" | tr 0-9 x)/g" "$lvl" >without && chmod +x without
    expect 0 ./without info levels/lake_mill.nw
    expect 0 ./without info a.zip//levels/lake_mill.nw
    expect 0 "$lvl" info a.tar//levels/lake_mill.nw
    expect 1 ./without info a.tar//levels/lake_mill.nw
    says "it is read by $(echo "$name" | tr 0-9 x), which is not installed (package libarchive"
    expect 1 ./without check a.tar.xz
    says "which is not installed (package libarchive"
fi

# The same findings as of the folder, with the paths of the members.
"$lvl" check levels 2>&1 | grep -E ': (error|damaged)' | sort >expected
"$lvl" check a.zip//levels 2>&1 | sed 's|a.zip//||' | grep -E ': (error|damaged)' | sort >found
cmp expected found || fail "check of a folder in a zip differs from check of the folder"
expect 1 "$lvl" check --summary a.zip
grep -q '^5 files checked: 4 sound, 0 faulty, 1 damaged, 0 unreadable; 1 foreign skipped' out || { fail "the zip as a whole"; cat out; }
expect 1 "$lvl" check --summary nested.zip
grep -q '^5 files checked: 4 sound' out || fail "a zip in a zip"
expect 0 "$lvl" info "nested.zip//backup/2004.zip//levels/lake_mill.nw"
mkdir collection && cp a.zip nested.zip levels/lake_meadow.nw collection
expect 1 "$lvl" check --summary collection
grep -q '^11 files checked' out || { fail "archives in a folder"; cat out; }

# Results go into a folder, below the archive's name if there are several; hostile names stay in it.
expect 0 "$lvl" convert a.zip//levels/lake_mill.nw --to gr-v1.03 -o mill.graal
expect 0 "$lvl" repair collection -o repaired -q
[ -f repaired/a.zip/levels/truncated.wwd ] || fail "a member of an archive in a folder was not written"
[ -f repaired/nested.zip/backup/2004.zip/levels/lake_mill.nw ] || fail "a member of an inner archive was not written"
[ ! -e out.nw ] && [ ! -e repaired/out.nw ] || fail "a member was written outside of its folder"
cmp -s levels/Größe.wwd "repaired/a.zip/levels/Größe.wwd" || fail "a name beyond ASCII"
expect 0 "$lvl" diff a.zip//levels levels
expect 0 "$lvl" set a.zip//levels/Größe.wwd author=me -o me.wwd
expect 0 "$lvl" get me.wwd author
grep -qx me out || fail "set of a member"

# Patterns, as of the shell: `*` and `?` within a folder's name or a file's; also of archives in archives.
expect 0 "$lvl" render 'a.zip//lev*/lake_m*.nw' -o drawn -q
[ -s drawn/lake_mill.png ] && [ "$(ls drawn | wc -l)" = "$(ls levels/lake_m*.nw | wc -l)" ] || fail "a pattern: $(ls drawn)"
expect 0 "$lvl" get 'nested.zip//backup/*.zip//levels/lake_mil?.nw' 'links[0].level'
out_has 'nested.zip//backup/2004.zip//levels/lake_mill.nw: lake_meadow.nw' 'a pattern in an archive in an archive'
expect 1 "$lvl" check 'a.zip//*.nw' # of no folder
says 'no such member in the archive'
# An archive in an archive is like a folder, too, if a path names it.
expect 1 "$lvl" check --summary nested.zip//backup/2004.zip
grep -q '^5 files checked: 4 sound' out || fail "a named archive in an archive"

# Never changed.
cp a.zip before.zip
expect 1 "$lvl" set a.zip author=me -i
says 'archives of other programs are not changed'
expect 1 "$lvl" set a.zip//levels/Größe.wwd author=me -i
says 'archives of other programs are not changed'
expect 0 "$lvl" set collection 'npcs[image=miller.png].image=baker.png' -i -q
cmp a.zip before.zip || fail "a.zip was changed"
cmp collection/a.zip before.zip || fail "an archive in a folder was changed"
expect 4 sh -c '"$0" check - <a.zip' "$lvl"
says 'an archive (zip), which is only read from a file'
expect 4 "$lvl" extract a.zip -o unpacked
says 'which that program unpacks'
# Neither is the archive replaced by its repaired members, nor does a folder get the name of an archive.
for o in a.zip new.zip; do
    expect 2 "$lvl" repair a.zip -o $o -y
    says 'lvl writes no archives of other programs; name a folder with -o DIR'
done
expect 2 "$lvl" repair a.zip//levels/Größe.wwd -o a.zip -y
# One member gets no such name either: it is not a copy of the archive with the change in it.
for member in a.zip//levels/Größe.wwd nested.zip//backup/2004.zip//levels/Größe.wwd a.tar.gz//levels/Größe.wwd; do
    expect 2 "$lvl" set "$member" author=me -o new.zip
    says 'lvl writes no archives of other programs; name a folder with -o DIR'
done
cmp a.zip before.zip || fail "a.zip was changed"
[ ! -e new.zip ] || fail "a folder called new.zip"

# Damage: what can be read is, and the archive is named. Limits hold.
head -c $(($(wc -c <a.zip) - 60)) a.zip >cut.zip
expect 1 "$lvl" check --summary cut.zip
says 'cut.zip: this archive is damaged'
grep -q '^5 files checked' out || { fail "members of a damaged zip"; cat out; }
expect 1 "$lvl" check bomb.zip --limit memory_bytes=64M
says "--limit memory_bytes"

# Archives in archives: damage and limits are named, of two with one path both are read, and what is nested
# many times over does not multiply without bounds.
python3 - <<'P'
import io, tarfile, warnings, zipfile
warnings.simplefilter("ignore")
level = open("levels/lake_mill.nw", "rb").read()
def packed(members):
    b = io.BytesIO()
    with zipfile.ZipFile(b, "w", zipfile.ZIP_DEFLATED) as z:
        for name, content in members: z.writestr(name, content)
    return b.getvalue()
def write(name, content): open(name, "wb").write(content)
write("inner-cut.zip", packed([("old.zip", open("cut.zip", "rb").read()), ("ok.nw", level)]))
write("inner-bad.zip", packed([("old.zip", b"PK\3\4" + b"\xff" * 300), ("ok.nw", level)]))
write("twice.zip", packed([("x.zip", packed([("one.nw", level)])), ("x.zip", packed([("two.nw", level)]))]))
members = [("l.nw", level)]
for i in range(6): members = [("%d.zip" % k, packed(members)) for k in range(10)]
write("million.zip", packed(members))
inner = packed([("zeros", bytes(100 << 20))])
for i in range(10): inner = packed([("%d.zip" % k, inner) for k in range(10)])
write("bomb.zip", inner)
deep = packed([("l.nw", level)])
for i in range(70): deep = packed([("n.zip", deep)])
write("deep.zip", deep)
big = tarfile.TarInfo("big.wwd")
big.size = 1 << 40
write("big.tar", big.tobuf() + open("levels/truncated.wwd", "rb").read())
link = tarfile.TarInfo("l.nw")
link.type, link.linkname = tarfile.SYMTYPE, "x"
write("links.tar", link.tobuf() * 3000)
P
expect 1 "$lvl" check inner-cut.zip
says 'inner-cut.zip//old.zip: this archive is damaged: what can be found'
expect 1 "$lvl" check inner-bad.zip
says 'inner-bad.zip//old.zip: this archive is damaged: nothing of it can be read'
expect 0 "$lvl" info twice.zip
grep -q 'one.nw' out && grep -q 'two.nw' out || { fail "two archives with one path"; cat out; }
expect 1 timeout 60 "$lvl" check -q million.zip --limit memory_bytes=32M
says 'with all that is nested in it, this file has more than 33554432 bytes of memory; --limit memory_bytes=N raises that'
expect 1 "$lvl" check deep.zip
says '1 member is not read, the first is deep.zip//n.zip//n.zip'
says 'more than 8 archives in archives; --limit nested=N'
expect 0 "$lvl" check deep.zip --limit nested=100
expect 1 "$lvl" check twice.zip --limit members=1
says '2 members are not read, the first is twice.zip//x.zip//one.nw: '
expect 1 "$lvl" check twice.zip --limit inflated=100
says 'more than 100 bytes; --limit inflated=N raises that'
# ten levels of ten archives, the innermost of which inflate to 100 MiB of zeros
expect 1 timeout 60 "$lvl" check -q bomb.zip
says 'archives in archives; --limit nested=N'

# By libarchive, where it is there.
if "$lvl" check --summary a.tar.xz >out 2>&1 || grep -q '^4 files checked' out; then
    for f in a.tar.xz a.tar.gz; do
        "$lvl" check $f//levels 2>&1 | sed "s|$f//||" | grep -E ': (error|damaged)' | sort >found
        cmp expected found || fail "$f differs from the folder"
    done
    base64 -d >t.7z <"$(dirname "$0")/support/level.7z.txt" 2>/dev/null || base64 -d <"$samples/../tests/support/level.7z.txt" >t.7z
    expect 0 "$lvl" diff t.7z//t/cliffs.wwd "$samples/wwd/cliffs.wwd"
    head -c 2000 t.7z >cut.7z
    expect 1 "$lvl" check cut.7z
    says 'this archive is damaged: nothing of it can be read'
    expect 1 "$lvl" check big.tar
    grep -qF "only $(($(wc -c <levels/truncated.wwd))) of its 1099511627776 bytes" out err || fail "part of a member"
    expect 1 "$lvl" check links.tar --limit work=1000000
    says '--limit work=N'
    expect 1 "$lvl" check links.tar --limit items=100
    says '--limit items=N'
    python3 -c 'import tarfile, io; t = tarfile.open("zeros.tar.xz", "w:xz"); m = tarfile.TarInfo("x.wwd"); m.size = 40 << 20; t.addfile(m, io.BytesIO(bytes(m.size)))'
    expect 1 "$lvl" check zeros.tar.xz
    says '--limit inflate_ratio=N raises that (now 1032)'
    expect 1 "$lvl" check zeros.tar.xz --limit inflate_ratio=100000
    says 'zeros.tar.xz//x.wwd: skipped'
    # names beyond ASCII, which no locale of the environment decides; folders are no damage
    for f in unicode.7z unicode.iso; do
        python3 "$(dirname "$0")/support/archives.py" $f >$f
        for locale in C C.UTF-8; do
            expect 0 env LC_ALL=$locale "$lvl" info --json $f
            grep -qF 'Größe_日本.nw"' out || fail "$f, $locale: $(cat out err)"
        done
    done
    # encrypted is not damaged
    python3 "$(dirname "$0")/support/archives.py" encrypted.7z >encrypted.7z
    expect 1 "$lvl" check encrypted.7z
    says 'Größe_日本.nw": it is encrypted with a password'
    grep -q 'this archive is damaged' err && fail "an encrypted archive is called damaged"
    # a compressed tar of another kind, ar, and cpio, at whose end a game's archive is stored
    PACK=$samples/sketchy/walk.levelpack python3 - <<'P'
import lzma, os
open("a.tar.lzma", "wb").write(lzma.compress(open("a.tar", "rb").read(), lzma.FORMAT_ALONE))
def newc(name, data, mode=0o100644):
    fields = [0, mode, 0, 0, 1, 0, len(data), 0, 0, 0, 0, len(name) + 1, 0]
    head = b"070701" + b"".join(b"%08X" % f for f in fields) + name.encode() + b"\0"
    return head + bytes(-len(head) % 4) + data + bytes(-len(data) % 4)
mill = open("levels/lake_mill.nw", "rb").read()
pack = open(os.environ["PACK"], "rb").read()
open("a.cpio", "wb").write(newc("mill.nw", mill) + newc("walk.levelpack", pack) + newc("TRAILER!!!", b"", 0))
open("a.ar", "wb").write(b"!<arch>\n" + b"%-16s%-12d%-6d%-6d%-8o%-10d`\n" % (b"mill.nw/", 0, 0, 0, 0o100644, len(mill)) + mill)
open("a.arj", "wb").write(b"\x60\xea" + bytes(60))
P
    expect 1 "$lvl" check --summary a.tar.lzma
    grep -q '^4 files checked: 3 sound' out || fail "lzma: $(cat out err)"
    expect 0 "$lvl" check --summary a.cpio
    grep -q '^2 files checked: 2 sound' out || fail "a pack at the end of an archive: $(cat out err)"
    expect 0 "$lvl" check --summary a.ar
    grep -q '^1 file checked: 1 sound' out || fail "ar: $(cat out err)"
    expect 4 "$lvl" check a.arj
    says 'an archive or compressed file of a kind (arj) that this lvl cannot read: unpack it first'
    # rar of both generations; what a password or the other volumes hide is named, and is no damage
    python3 - <<'P'
import bz2, gzip, struct, zipfile, zlib
mill = open("levels/lake_mill.nw", "rb").read()
def vint(n):
    out = bytes([n & 127])
    while n > 127:
        n >>= 7
        out = out[:-1] + bytes([out[-1] | 128, n & 127])
    return out
def block4(kind, flags, body):
    head = struct.pack("<BHH", kind, flags, 7 + len(body)) + body
    return struct.pack("<H", zlib.crc32(head) & 0xFFFF) + head
def rar4(main=0, member=0):
    body = struct.pack("<IIBIIBBHI", len(mill), len(mill), 3, zlib.crc32(mill), 815751168, 20, 48, 4, 0o100644) + b"m.nw"
    return b"Rar!\x1a\7\0" + block4(0x73, main, bytes(6)) + block4(0x74, 0x8000 | member, body) + mill + block4(0x7B, 0x4000, b"")
def block5(body):
    head = vint(len(body)) + body
    return struct.pack("<I", zlib.crc32(head)) + head
def rar5(main=0):
    member = bytes([2, 2]) + vint(len(mill)) + bytes([4]) + vint(len(mill)) + vint(0o100644)
    member += struct.pack("<I", zlib.crc32(mill)) + bytes([0, 1, 4]) + b"m.nw"
    return b"Rar!\x1a\7\1\0" + block5(bytes([1, 0, main])) + block5(member) + mill + block5(bytes([5, 0, 0]))
def write(name, content): open(name, "wb").write(content)
write("4.rar", rar4())
write("5.rar", rar5())
write("4-volume.rar", rar4(1, 2))
write("5-volume.rar", rar5(1)[:-900])
write("4-locked.rar", rar4(0x80))
write("4-member.rar", rar4(0, 4))
write("5-locked.rar", b"Rar!\x1a\7\1\0" + block5(bytes([4, 0]) + bytes(20)))
# zips with members that are compressed otherwise than by deflate, or encrypted
for name, method in ("bzip2", zipfile.ZIP_BZIP2), ("lzma", zipfile.ZIP_LZMA), ("stored", zipfile.ZIP_STORED):
    with zipfile.ZipFile(name + ".zip", "w", method) as z: z.writestr("m.nw", mill)
def patch(name, out, local, central, value):
    data = bytearray(open(name, "rb").read())
    for magic, at in (b"PK\3\4", local), (b"PK\1\2", central):
        i = data.find(magic) + at
        data[i:i + 2] = struct.pack("<H", value)
    write(out, data)
patch("stored.zip", "locked.zip", 6, 8, 1)
patch("stored.zip", "d64.zip", 8, 10, 9)
patch("bzip2.zip", "lying.zip", 8, 10, 14)
tar = open("a.tar", "rb").read()
packed = gzip.compress(tar, 9)
write("cut.tar.gz", packed[:len(packed) * 3 // 4])
write("cut.tar.bz2", bz2.compress(tar)[:3000])
write("image.wim", b"MSWIM\0\0\0" + bytes(200))
P
    for f in 4.rar 5.rar bzip2.zip lzma.zip; do
        expect 0 "$lvl" check --summary $f
        grep -q '^1 file checked: 1 sound' out || fail "$f: $(cat out err)"
    done
    for f in 4-locked.rar 5-locked.rar 4-member.rar locked.zip; do
        expect 1 "$lvl" check $f
        says 'it is encrypted with a password: unpack it with the program that made it'
    done
    expect 1 "$lvl" check 5-locked.rar//m.nw
    says '5-locked.rar: it is encrypted with a password'
    for f in 4-volume.rar 5-volume.rar; do
        expect 1 "$lvl" check $f
        says "$f: it is one of several volumes of an archive"
    done
    expect 1 "$lvl" check d64.zip
    says 'lvl.member.damaged: "m.nw": it is compressed by Deflate64 (method 9 of zip)'
    expect 1 "$lvl" check lying.zip
    says 'lvl.member.damaged: "m.nw"'
    expect 1 "$lvl" check --summary cut.tar.gz
    says 'cut.tar.gz: this archive is damaged: what can be found in it is read'
    grep -Eq '^[1-4] files? checked' out || fail "a broken stream: $(cat out err)"
    expect 1 "$lvl" check cut.tar.bz2
    says 'cut.tar.bz2: this archive is damaged: nothing of it can be read'
    expect 4 "$lvl" check image.wim
    says 'an archive or compressed file of a kind (wim) that this lvl cannot read: unpack it first'
    head -c 20000 a.tar >cut.tar
    expect 1 "$lvl" check cut.tar
    says 'cut.tar: this archive is damaged'
else
    expect 4 "$lvl" check a.tar.xz
    says 'that this lvl cannot read'
fi
# names are UTF-8 for whoever asks, also one that leads out of the folder
cp "$samples/sketchy/hill-v4.level" odd.level && chmod u+w odd.level
python3 - <<'PY'
import zipfile
with zipfile.ZipFile("odd.level", "a") as z:
    z.writestr("assets/../QQQ.png", b"x")
data = open("odd.level", "rb").read().replace(b"QQQ", b"\x9f\x81\xd7")
open("odd.level", "wb").write(data)
PY
"$lvl" extract odd.level -o odd >out 2>err
grep -q 'assets/../' err || fail "the name is not reported: $(cat err)"
python3 -c 'open("err", encoding="utf-8").read()' || fail "a name that is no UTF-8"
# names of members that have "//" themselves: each path that is printed can be given again
python3 - <<'PY'
import io, zipfile
def made(name, content):
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as pack:
        info = zipfile.ZipInfo("x")
        info.filename = name
        pack.writestr(info, content)
    return out.getvalue()
level = open("levels/lake_mill.nw", "rb").read()
for n, name in enumerate(("a//in.zip", "a//b//in.zip", "c:\\\\in.zip")):
    open(f"slashes{n}.zip", "wb").write(made(name, made("d//e.zip", made("f//g.nw", level))))
PY
for n in 0 1 2; do
    expect 0 "$lvl" check "slashes$n.zip" -q
    expect 0 "$lvl" info --json "slashes$n.zip"
    path=$(sed 's/{"file":"\([^"]*\)".*/\1/' "$said/out")
    expect 0 "$lvl" get "$path" 'links[0].level'
    is "$said/out" lake_meadow.nw "$path"
    expect 1 "$lvl" get "slashes$n.zip//a//no.zip//x.nw" format
done

# Encodings: names of a zip without its UTF-8 flag, texts in UTF-8, files in UTF-16, compressed files.
python3 - <<'P'
import zipfile
level = open("levels/lake_mill.nw", "rb").read()
def zipped(name, member):
    with zipfile.ZipFile(name, "w") as z: z.writestr("GrXXe.nw", level)
    b = open(name, "rb").read()
    open(name, "wb").write(b.replace(b"GrXXe.nw", member))
zipped("n437.zip", b"Gr\x81\xe1e.nw")
zipped("n1252.zip", b"Gr\xfc\xdfe.nw")
with zipfile.ZipFile("utf8.zip", "w") as z: z.writestr("Gr\u00fc\u00dfe.nw", level)
with zipfile.ZipFile("folders.zip", "w") as z:
    z.writestr("abcde/" * 990 + "x.nw", level)
    z.writestr("ok.nw", level)
P
expect 0 "$lvl" check -v n437.zip
out_has 'n437.zip//Grüße.nw' "code page 437"
says 'n437.zip: 1 name without the UTF-8 flag read in code page 437; --encoding'
python3 - <<'P'
b = open("n437.zip", "rb").read()
open("nutf8.zip", "wb").write(b.replace(b"Gr\x81\xe1e.nw", "Gr\u00fce.nw".encode().ljust(8, b"x"))) # as long as before
P
expect 0 "$lvl" check nutf8.zip
says 'nutf8.zip: 1 name without the UTF-8 flag read as UTF-8'
expect 0 "$lvl" check -q nutf8.zip n437.zip
silent err "check -q of names"
expect 0 "$lvl" check -v n1252.zip --encoding windows-1252
out_has 'n1252.zip//Grüße.nw' "--encoding"
grep -q 'without the UTF-8 flag' err && fail "an assumption in spite of --encoding: $(cat err)"
expect 0 "$lvl" check -v utf8.zip --encoding windows-1252
out_has 'utf8.zip//Grüße.nw' "what the zip says"
grep -q 'without the UTF-8 flag' err && fail "an assumption in spite of the flag: $(cat err)"
mkdir signs
printf 'GLEVNW01\r\nSIGN 1 1\r\nGr\303\274\303\237e\r\nSIGNEND\r\n' >signs/s.nw
expect 0 "$lvl" find Grüße --in signs
out_has 'signs/s.nw: signs[0].text: Grüße' "a text in UTF-8"
# which the game does not read: a note
expect 0 "$lvl" check -v signs
out_has 'note: graal.nw.utf8: 2 characters are in UTF-8; the game expects windows-1252' "a text in UTF-8"
printf 'GLEVNW01\r\nSIGN 1 1\r\nGr\374\337e\r\nSIGNEND\r\n' >signs/s.nw
expect 0 "$lvl" check -v signs
grep -q graal.nw.utf8 out && fail "windows-1252 is taken for UTF-8: $(cat out)"
gzip -c levels/lake_mill.nw >x.nw.gz
expect 0 "$lvl" dump x.nw.gz -o gz.json
expect 0 "$lvl" dump levels/lake_mill.nw -o plain.json
cmp gz.json plain.json || fail "a compressed level"
expect 0 "$lvl" check x.nw.gz
{ printf '\377\376' && printf 'GLEVNW01' | sed 's/./&\x00/g'; } >u.nw
printf '<!DOCTYPE html>\n<html><body>Not found</body></html>' >page.wwd
printf '\r\nRezMgr Version 9\r\n' >other.rez
printf '<?xml version="1.0"?>\n<!DOCTYPE html>\n<html>' >page.graal
printf 'BRGR\000\000\000\001and more' >mac.rez
expect 4 "$lvl" check u.nw page.wwd page.graal other.rez mac.rez
says 'page.graal: this is an HTML page, perhaps a failed download'
says 'u.nw: this is text in UTF-16'
says 'page.wwd: this is an HTML page, perhaps a failed download'
says 'other.rez: this is a Monolith resource archive of another game'
says 'mac.rez: this is a resource archive of another game (REZ of Macintosh games)'
mkdir pages && cp page.wwd pages
expect 1 "$lvl" check pages
says 'page.wwd: skipped: expected a WAP32 level (Claw, Gruntz, Get Medieval) by its name, found an HTML page, perhaps a failed download'
# many members in one flat archive are within the budget of a named file
mkdir flat
n=0
while [ $n -lt 1200 ]; do
    printf 'GLEVNW01\nLINK a.nw 1 1 1 1 0 %s\n' $((n % 60)) >flat/l$n.nw
    n=$((n + 1))
done
expect 0 "$lvl" pack flat -o flat.rez
expect 0 "$lvl" check --summary --no-art --members flat.rez
grep -q '^1201 files checked: 1201 sound' out || fail "a flat archive: $(head -n 1 out)"
# a folder that cannot be made leaves none of those around it
expect 3 "$lvl" repair folders.zip -o deep
[ "$(find deep -type d | wc -l)" = 1 ] && [ -f deep/ok.nw ] || fail "empty folders are left"
# patterns find members as their names do: in any case of letters
expect 0 "$lvl" extract "$samples/wwd/SAMPLES.REZ" 'level1/images/crab/*.pid' --list
[ "$(grep -c CRAB out)" = 4 ] || fail "a pattern in small letters"

finish
