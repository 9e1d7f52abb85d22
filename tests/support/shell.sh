# What the tests of the command share. A test begins with
#
#     . "$(dirname "$0")/support/shell.sh"
#
# and is then in an empty folder $t, which is removed when it ends. $lvl is the command, $samples the folder of samples, $here the folder of the tests.
set -u
LC_ALL=C
export LC_ALL
unset LVL_ART NO_COLOR
lvl=${LVL:?the command to test}
here=$(cd "$(dirname "$0")" && pwd)
samples=${LVL_SAMPLES:-$(dirname "$here")/samples}
# Not empty: the command is a program for Windows, under Wine, to which a link of Unix is the file or folder that it leads to, or nothing.
windows=${LVL_WINDOWS:-}
# The folder of real files as an absolute path, or nothing if there is none.
corpus=$(cd "${LVL_CORPUS:-$here/../../shared/corpus}" 2>/dev/null && pwd) || corpus=
no_corpus() { echo "skipped: no corpus of real files (LVL_CORPUS)"; }
test_root=$(mktemp -d) || exit 3
trap 'chmod -R u+w "$test_root"; rm -rf "$test_root"' EXIT
# Five folders down: lvl looks for art in the folders above a level, and in /tmp there may be anything.
t=$test_root/1/2/3/4/work
mkdir -p "$t"
cd "$t" || exit 3

said=$t # where `expect` writes the streams of the command, as out and err
failed=0 tried=0

# fail TEXT: counts a failure, and shows what the last command of `expect` printed.
fail() {
    echo "FAILED: $*"
    failed=$((failed + 1))
    for stream in out err; do
        [ ! -s "$said/$stream" ] || sed "s/^/    $stream: /; 5q" "$said/$stream"
    done
}
# expect CODE COMMAND...: runs it, keeps its streams, and compares the exit code.
expect() {
    want=$1
    shift
    tried=$((tried + 1))
    "$@" >"$said/out" 2>"$said/err" </dev/null
    code=$?
    [ $code = "$want" ] || fail "exit $code, not $want: $*"
}
# out_has TEXT [WHAT], err_has TEXT [WHAT]: what the last command printed contains the text.
out_has() { grep -qF -- "$1" "$said/out" || fail "no \`$1' on stdout${2:+ of: $2}"; }
err_has() { grep -qF -- "$1" "$said/err" || fail "no \`$1' on stderr${2:+ of: $2}"; }
# is FILE TEXT WHAT: the file is this one line or these lines.
is() { printf '%s\n' "$2" | cmp -s - "$1" || { fail "$3"; sed 's/^/    /' "$1" | head -n 5; }; }
# same FILE FILE [WHAT]: the files have the same bytes.
same() { cmp -s "$1" "$2" || fail "$1 and $2 differ${3:+: $3}"; }
# Whether a sample and what was made of it are the same. If this libdeflate compresses otherwise than the one that made the
# samples (another release, or that of Windows), they may differ in their compressed streams.
same_sample() {
    cmp -s "$1" "$2" && return
    [ -n "${packs_alike:-}" ] || {
        "$lvl" dump --no-kept "$samples/sketchy/lantern.doodad" -o "$test_root/alike.json" -q &&
            "$lvl" undump "$test_root/alike.json" -o "$test_root/alike.doodad" -q || return
        packs_alike=yes
        cmp -s "$test_root/alike.doodad" "$samples/sketchy/lantern.doodad" || packs_alike=no
    }
    [ "$packs_alike" = no ] && "$lvl" dump --no-kept "$1" -o "$test_root/one.json" -q -y &&
        "$lvl" dump --no-kept "$2" -o "$test_root/other.json" -q -y && cmp -s "$test_root/one.json" "$test_root/other.json"
}
# Whether two PNGs have the same pixels: the bytes of a rendered PNG may differ.
same_pixels() {
    "$lvl" convert "$1" --colors 256 --to v4 -q -y -o "$1.level" && "$lvl" convert "$2" --colors 256 --to v4 -q -y -o "$2.level" &&
        cmp -s "$1.level" "$2.level"
}
# page_command PAGE CHOICES: the command that the page of `lvl merge --html' shows once these are chosen.
page_command() {
    sed -nE 's/.*"command":\["([^"]*)","(([^"\\]|\\.)*)"\].*/\1'"$2"'\2/p' "$1" |
        sed 's/\\n/\
/g; s/\\u003c/</g; s/\\"/"/g; s/\\\\/\\/g'
}
# The last line of a test: its counts and exit code.
finish() {
    echo "$tried commands, $failed failures"
    [ "$failed" = 0 ]
}
