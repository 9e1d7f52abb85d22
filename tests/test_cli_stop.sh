# SIGINT and SIGTERM end a long verb soon: no output, no temporary file left, and the code that a shell expects of a signal.
set -eu
lvl=$LVL
. tests/support/shell.sh
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"

# 1000 x 900 tiles: 3.7 gigapixels at full size
{
    printf '{"lvl":1,"format":"wwd","doc":{"planes":[{"flags":"main","tiles":{"width":1000,"height":900,"rows":['
    i=1
    while [ $i -lt 900 ]; do
        printf '"%d*1000",' $i
        i=$((i + 1))
    done
    printf '"1*1000"]}}]}}'
} >large.json
expect 0 "$lvl" undump large.json -o large.wwd

# stops SIGNAL CODE ARGUMENTS...
stops() {
    number=$1 want=$2
    shift 2
    tried=$((tried + 1))
    "$lvl" "$@" >/dev/null 2>err &
    id=$!
    sleep 0.3
    since=$(date +%s)
    kill -s "$number" $id 2>/dev/null || fail "ended before the signal came: $*"
    code=0
    wait $id || code=$?
    [ $(($(date +%s) - since)) -le 2 ] || fail "$number: not within 2 s: $*"
    [ $code = "$want" ] || { fail "exit $code, not $want: $number at: $*"; cat err; }
    left=$(ls -A | grep -v -x -e large.json -e large.wwd -e out -e err || true)
    [ -z "$left" ] || fail "$number at: $* left $left"
}
for signal in INT:130 TERM:143; do
    stops ${signal%:*} ${signal#*:} render large.wwd -o out.png
    stops ${signal%:*} ${signal#*:} render large.wwd -o -
    stops ${signal%:*} ${signal#*:} render large.wwd --size 30000 -o out.png
done

echo "$tried runs, $failed failed"
[ $failed = 0 ]
