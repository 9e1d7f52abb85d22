#!/usr/bin/env python3
"""How well `lvl find --like` finds edited versions: bench/likeness.py LVL CATALOGUE [-a] [-v] [FORMAT...].

CATALOGUE is one of `lvl scan --no-thumbnails` over real files that are still there. What two files have in common is measured
without the signature: the share of the lines of `lvl dump` that both have, among those that either has, where a line counts the
more, the fewer files of the format have it. With at least half they are versions of each other; with less than a tenth they are not,
whatever their names. Prints for each half of the files (by their hash) how many versions are listed, and how many others. -a: all files
are searched for, not 150 of each half: a pair is then counted twice. -v: some of the wrong ones.
"""
import collections
import json
import math
import random
import subprocess
import sys

QUERIES = 150  # files of each half that are searched for


def run(*command: str) -> str:
    return subprocess.run(command, check=False, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                          encoding="utf-8", errors="replace").stdout


def lines_of(lvl: str, path: str) -> frozenset[int]:
    text = run(lvl, "dump", path)
    return frozenset(hash(line.strip().rstrip(",")) for line in text.splitlines()[2:] if len(line.strip()) > 2)


def measure(lvl: str, database: str, name: str) -> None:
    query = f"select path, sha256 from files where format = '{name}' and removed is null and content is not null group by content"
    rows = [json.loads(line) for line in run(lvl, "find", "--json", "--in", database, "--sql", query).splitlines()]
    random.Random(25).shuffle(rows)
    lines = {row["path"]: lines_of(lvl, row["path"]) for row in rows}
    often = collections.Counter(line for found in lines.values() for line in found)
    weight = {line: math.log((len(rows) + 1) / count) for line, count in often.items()}
    total = {path: sum(weight[line] for line in found) for path, found in lines.items()}
    for half in (0, 1):
        counts = {"version": [0, 0], "other": [0, 0]}
        missed = []
        for row in [r for r in rows if int(r["sha256"], 16) % 2 == half][: None if "-a" in sys.argv else QUERIES]:
            path = row["path"]
            out = run(lvl, "find", "--like", path, "--json", "--in", database, f"format:{name}")
            listed = {found["path"]: int(found["likeness"]) for found in map(json.loads, out.splitlines())}
            for other in lines:
                if other == path:
                    continue
                common = sum(weight[line] for line in lines[path] & lines[other])
                share = common / (total[path] + total[other] - common or 1)
                kind = "version" if share >= 0.5 else "other" if share < 0.1 else None
                if not kind:
                    continue
                counts[kind][0] += 1
                counts[kind][1] += other in listed
                if (kind == "version") != (other in listed):
                    missed.append((kind, round(share, 2), listed.get(other, 0), path, other))
        for kind, (pairs, found) in counts.items():
            print(f"{name}, half {half + 1}: {kind}: {found} of {pairs} listed, {100 * found / max(pairs, 1):.2f} %", flush=True)
        for line in random.Random(1).sample(missed, min(8, len(missed))) if "-v" in sys.argv else []:
            print("   ", *line)


if __name__ == "__main__":
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    for wanted in [a for a in sys.argv[3:] if a not in ("-a", "-v")] or ["gani", "nw", "sketchy", "graal", "wwd"]:
        measure(sys.argv[1], sys.argv[2], wanted)
