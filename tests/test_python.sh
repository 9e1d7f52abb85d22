#!/bin/sh
# The Python package (bindings/python) over the library that was built: its tests, its types, and whether what is generated is up to
# date.
set -eu
[ -n "${LVL_LIBRARY:-}" ] && [ -e "$LVL_LIBRARY" ] || { echo "skipped: no shared library"; exit 77; }
python=
for one in python3 /usr/bin/python3; do
    if $one -c 'import pytest' 2>/dev/null; then
        python=$one
        break
    fi
done
[ -n "$python" ] || { echo "skipped: no Python with pytest (scripts/setup --check)"; exit 77; }
root=$(cd "$(dirname "$0")/.." && pwd)
export PYTHONPATH="$root/bindings/python" PYTHONDONTWRITEBYTECODE=1 PYTHONWARNINGS=error
$python "$root/bindings/generate" --check "$LVL_LIBRARY"
$python -m pytest -q -p no:cacheprovider "$root/tests/python"
# Without NumPy, which is optional.
LVL_TEST_NO_NUMPY=1 LVL_TEST_ROUNDS=20 $python -m pytest -q -p no:cacheprovider "$root/tests/python/test_values.py" \
    "$root/tests/python/test_lifetimes.py"
