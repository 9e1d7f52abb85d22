#!/usr/bin/env python3
"""How fast the Python package is: import, the first document, and reading x of all objects of a level by attribute, by array, and in C.

usage: LVL_LIBRARY=build/release/liblvl.so PYTHONPATH=bindings/python bench/python.py [LEVEL.wwd]

Without a level one is made that has 16,478 objects, as many as the largest that is known. Each number is the best of several runs.
"""
import ctypes
import os
import subprocess
import sys
import time

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
sys.path.insert(0, os.path.join(ROOT, "bindings", "python"))


def best(function, runs=5):
    times = []
    for _ in range(runs):
        start = time.perf_counter()
        function()
        times.append(time.perf_counter() - start)
    return min(times)


def in_process(code, runs=5):
    def run():
        subprocess.run([sys.executable, "-c", code], check=True, env={**os.environ, "PYTHONPATH": sys.path[0]}, cwd=ROOT)
    return best(run, runs)


SUM = r"""
#include <lvl/lvl.h>
long long lvl_bench_sum(const lvl_wwd_object *o, unsigned n) { long long s = 0; for (unsigned i = 0; i < n; i++) s += o[i].x; return s; }
"""


def main():
    empty, package = in_process("pass", 15), in_process("import lvl", 15)
    first = in_process("import lvl; lvl.open('samples/wwd/cliffs.wwd').planes['Action'].objects[3].x", 15)
    print(f"Python itself: {empty * 1000:.0f} ms; import lvl: {(package - empty) * 1000:.0f} ms more; with a document:"
          f" {(first - package) * 1000:.0f} ms more")

    import lvl

    print(f"another document: {best(lambda: lvl.open(os.path.join(ROOT, 'samples/wwd/cliffs.wwd')), 50) * 1000:.2f} ms")
    if len(sys.argv) > 1:
        level = lvl.open(sys.argv[1], lvl.Wwd)
    else:
        level = lvl.new("wwd", width=64, height=64)
        level.planes[0].objects._change(0, 16478)
    objects = max((plane.objects for plane in level.planes), key=len)
    count = len(objects)
    for i, o in enumerate(objects):
        o.x = i
    print(f"x of {count} objects")
    print(f"  by attribute: {best(lambda: sum(o.x for o in objects)) * 1e6:.0f} us")
    print(f"  by array:     {best(lambda: int(objects.array['x'].sum()), 50) * 1e6:.0f} us")
    source, library = "/tmp/lvl-bench-sum.c", "/tmp/lvl-bench-sum.so"
    with open(source, "w") as file:
        file.write(SUM)
    subprocess.run(["cc", "-O2", "-shared", "-fPIC", "-I", os.path.join(ROOT, "include"), source, "-o", library], check=True)
    total = ctypes.CDLL(library).lvl_bench_sum
    total.restype = ctypes.c_longlong
    total.argtypes = [ctypes.c_void_p, ctypes.c_uint]
    place = objects._place()
    assert total(*place) == sum(range(count)) == sum(o.x for o in objects)
    print(f"  from C:       {best(lambda: total(*place), 50) * 1e6:.0f} us")


if __name__ == "__main__":
    main()
