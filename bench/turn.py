#!/usr/bin/env python3
"""Two builds of the command in turn, on what a user does with one small file: bench/turn.py OLD NEW [ROUNDS].

Prints the median processor time of each, the median of the ratios of the pairs, and how many shared objects the dynamic linker
loads (glibc), those that are opened when they are needed included. A command whose exit code differs is marked.
"""
import os
import pathlib
import re
import resource
import statistics
import subprocess
import sys
import tempfile

SAMPLES = pathlib.Path(__file__).resolve().parent.parent / "samples"
WWD, NW, LEVEL = "wwd/cliffs.wwd", "graal/lakeside/lake_woods.nw", "sketchy/hill-v3.1.level"
ROWS = [["version"], *([verb, file] for verb in ("info", "check") for file in (WWD, NW, LEVEL)),
        ["set", WWD, "planes[Action].objects[0].x+=1", "-o", "out.wwd", "-y", "-q"],
        ["set", NW, "npcs[0].x+=1", "-o", "out.nw", "-y", "-q"],
        ["set", LEVEL, "title=x", "-o", "out.level", "-y", "-q"],
        *(["render", file, "-o", "out.png", "-y", "-q"] for file in (WWD, NW, LEVEL))]


def run(command: list[str], folder: str) -> tuple[float, int]:
    """Milliseconds of processor time, and the exit code."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    code = subprocess.run(command, cwd=folder, check=False, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL).returncode
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return (after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime) * 1e3, code


def objects(command: list[str], folder: str) -> int:
    """The shared objects that are loaded by one run."""
    log = subprocess.run(command, cwd=folder, check=False, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
                         env={**os.environ, "LD_DEBUG": "libs"}).stderr
    return len(set(re.findall(rb"calling init: (\S+)", log)))


def main() -> int:
    if len(sys.argv) < 3:
        print(__doc__, file=sys.stderr)
        return 2
    programs = [str(pathlib.Path(name).resolve()) for name in sys.argv[1:3]]
    rounds = int(sys.argv[3]) if len(sys.argv) > 3 else 15
    print(f"{'lvl':44} {'old':>8} {'new':>8}  ratio  shared objects")
    with tempfile.TemporaryDirectory() as folder:
        for row in ROWS:
            words = [str(SAMPLES / word) if word in (WWD, NW, LEVEL) else word for word in row]
            pairs = [[run([program, *words], folder) for program in programs] for _ in range(rounds + 1)][1:]
            old, new = (statistics.median(pair[i][0] for pair in pairs) for i in (0, 1))
            ratio = statistics.median(pair[1][0] / pair[0][0] for pair in pairs)
            loaded = [objects([program, *words], folder) for program in programs]
            differs = "" if pairs[0][0][1] == pairs[0][1][1] else "  other exit code"
            print(f"{' '.join(row)[:44]:44} {old:5.1f} ms {new:5.1f} ms  {ratio:5.2f}  {loaded[0]} -> {loaded[1]}{differs}", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
