#!/bin/sh
# The example of each language in bindings/, built and run over the library that was built: what it prints, and that it writes the file that
# `lvl set` writes. The bindings are made as `make bindings` makes them, or LVL_BINDINGS is the folder with them. Languages whose compiler is
# not installed are skipped (scripts/setup --long installs all).
. "$(dirname "$0")/support/shell.sh"
set -e

[ -n "${LVL_LIBRARY:-}" ] && [ -e "$LVL_LIBRARY" ] || { echo "skipped: no shared library"; exit 77; }
root=$(dirname "$here")
folder=$(dirname "$LVL_LIBRARY")
export LD_LIBRARY_PATH="$folder"
level=$root/samples/wwd/cliffs.wwd
"$lvl" set "$level" 'planes[*].objects[logic=Soldier].x+=64' -o "$t/expected.wwd"
made=${LVL_BINDINGS:-$t/made}
[ -n "${LVL_BINDINGS:-}" ] || python3 "$root/bindings/generate" "$LVL_LIBRARY" "$made" || fail "bindings/generate: $?"
ran=

# Compares what an example printed and wrote.
compare() { # language
    printf 'main plane: Action\n2 soldiers moved\n' >"$t/lines"
    head -n 2 "$t/said" | cmp - "$t/lines" || fail "$1 printed: $(cat "$t/said")"
    grep -q 'wwd has no field "nothing' "$t/said" || fail "$1: an error was not reported: $(cat "$t/said")"
    cmp "$t/$1.wwd" "$t/expected.wwd" || fail "$1 wrote another file"
    ran="$ran $1"
}

if command -v c++ >/dev/null; then
    c++ -std=c++17 -Wall -Wextra -Wpedantic -Werror -fno-exceptions -fno-rtti -I"$root/include" "$root/bindings/cpp/example.cpp" -o "$t/cpp" \
        -L"$folder" -llvl || fail "C++: $?"
    "$t/cpp" "$level" "$t/cpp.wwd" >"$t/said" || fail "C++: $?"
    compare cpp
fi
if command -v luajit >/dev/null; then
    sed 's/doc:put(object, "object", "name", "moved")//' "$made/luajit/example.lua" >"$t/example.lua"
    cp "$made/luajit/lvl.lua" "$made/luajit/lvl_ffi.lua" "$t/"
    luajit "$t/example.lua" "$level" "$t/luajit.wwd" >"$t/said" || fail "LuaJIT: $?"
    compare luajit
    luajit "$made/luajit/example.lua" "$level" "$t/named.wwd" >/dev/null || fail "LuaJIT: $?"
    [ "$("$lvl" get "$t/named.wwd" 'planes[*].objects[name=moved].logic')" = "$(printf 'Soldier\nSoldier')" ] || fail "LuaJIT: texts"
fi
if [ -x /usr/bin/go ] && [ -n "${HOME:-}" ]; then
    (cd "$made/go" && GO111MODULE=on GOPROXY=off GOTOOLCHAIN=local CGO_CFLAGS="-I$root/include" CGO_LDFLAGS="-L$folder" /usr/bin/go build \
        -o "$t/go" ./example) || fail "Go: $?"
    "$t/go" "$level" "$t/go.wwd" >"$t/said" || fail "Go: $?"
    compare go
fi
if command -v mcs >/dev/null && command -v mono >/dev/null; then
    mcs -unsafe -out:"$t/example.exe" "$made"/csharp/*.cs || fail "C#: $?"
    mono "$t/example.exe" "$level" "$t/csharp.wwd" >"$t/said" || fail "C#: $?"
    compare csharp
fi
[ -n "$ran" ] || { echo "skipped: no compiler of any language"; exit 77; }
echo "ran:$ran"
finish
