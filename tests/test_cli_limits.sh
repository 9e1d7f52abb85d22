# Every refusal by a limit names the limit, what it allows and the option that raises it, in every verb, with exit code 1 and no output.
set -eu
lvl=$LVL
. tests/support/shell.sh
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"

awk 'BEGIN {
    print "GLEVNW01"
    for (i = 0; i < 3000; i++)
        printf "NPC - %d %d\nsay %d;\nNPCEND\n", i % 64, int(i / 64) % 64, i
}' >many.nw

# refused LIMIT ALLOWED ARGUMENTS...: check prints its findings on stdout
refused() {
    limit=$1 allowed=$2
    shift 2
    tried=$((tried + 1)) code=0
    "$lvl" "$@" --limit "$limit=$allowed" >text 2>&1 || code=$?
    [ $code = 1 ] || fail "exit $code, not 1: $limit at: $*"
    grep -q "fatal: lvl\.limit\.${limit%_bytes}: it needs .*--limit $limit=N raises that (now $allowed)" text ||
        fail "$limit at: $*: $(head -c 300 text)"
    [ ! -e out.nw ] && [ ! -e out.zelda ] || fail "$limit at: $* left an output"
}
for bound in input_bytes:1000 memory_bytes:600000 items:100 work:10000; do
    for verb in info check explain dump 'repair -o out.nw' 'get npcs[*].x' 'set npcs[*].x=3 -o out.nw' \
        'convert -o out.zelda' 'diff many.nw'; do
        set -- $verb
        verb=$1
        shift
        case $verb in
        get | set) refused ${bound%:*} ${bound#*:} "$verb" many.nw "$@" ;;
        *) refused ${bound%:*} ${bound#*:} "$verb" "$@" many.nw ;;
        esac
    done
done
# what has no size is held in memory
tried=$((tried + 1))
"$lvl" info - --limit memory_bytes=6000 <many.nw >text 2>&1 && fail "a stream that is too long"
grep -q 'lvl\.limit\.memory.*--limit memory_bytes=N' text || fail "a stream: $(cat text)"

echo "$tried runs, $failed failed"
[ $failed = 0 ]
