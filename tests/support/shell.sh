# What tests from a shell share; sourced, with the folder to work in as the current one. $lvl is the command; `expect' keeps what it says in $said/out and
# $said/err (out and err where $said isn't set).
failed=0 tried=0

fail() {
    echo "FAILED: $*"
    failed=$((failed + 1))
}
# expect CODE COMMAND...: runs it, keeps its streams, and compares the code.
expect() {
    want=$1
    shift
    tried=$((tried + 1))
    "$@" >"${said:-.}/out" 2>"${said:-.}/err" </dev/null
    code=$?
    [ $code = "$want" ] || { fail "exit $code, not $want: $*"; sed 's/^/    /' "${said:-.}/err" | head -n 5; }
}
# Whether two PNGs show the same: what render packs may differ in its bytes.
same_pixels() {
    "$lvl" convert "$1" --colors 256 --to v4 -q -y -o "$1.level" && "$lvl" convert "$2" --colors 256 --to v4 -q -y -o "$2.level" &&
        cmp -s "$1.level" "$2.level"
}
