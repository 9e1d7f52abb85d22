# SIGINT and SIGTERM end a long verb soon: no output, no temporary file left, and the code that a shell expects of a signal.
set -eu
lvl=$LVL
. tests/support/shell.sh
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"

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

# stops SIGNAL CODE ARGUMENTS...
stops() {
    number=$1 want=$2
    shift 2
    tried=$((tried + 1))
    "$lvl" "$@" >/dev/null 2>err &
    id=$!
    # until it catches signals: one that comes earlier ends it at once, or is ignored as in all background jobs
    for _ in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do
        sleep 0.2
        grep -q '^SigCgt:.*[1-9a-f]' /proc/$id/status 2>/dev/null && break
    done
    since=$(date +%s)
    kill -s "$number" $id 2>/dev/null || fail "ended before the signal came: $*"
    code=0
    wait $id || code=$?
    [ $(($(date +%s) - since)) -le 20 ] || fail "$number: not within 20 s: $*"
    [ $code = "$want" ] || { fail "exit $code, not $want: $number at: $*"; cat err; }
    left=$(ls -A | grep -v -x -e large.json -e large.wwd -e out -e err || true)
    [ -z "$left" ] || fail "$number at: $* left $left"
}
for signal in INT:130 TERM:143; do
    stops ${signal%:*} ${signal#*:} render large.wwd --limit cells=1000G -o out.png
    stops ${signal%:*} ${signal#*:} render large.wwd --limit cells=1000G -o -
    stops ${signal%:*} ${signal#*:} render large.wwd --limit cells=1000G --size 30000 -o out.png
done

echo "$tried runs, $failed failed"
[ $failed = 0 ]
