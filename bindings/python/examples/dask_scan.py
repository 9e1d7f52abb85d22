#!/usr/bin/env python3
"""Scans 20,000 files with a real Dask cluster: a scheduler and four workers as processes, one of which is killed on the way. The table has to
equal what one process makes, `lvl info --json`, and the catalogue of `lvl scan`.

usage: LVL=build/release/lvl LVL_LIBRARY=build/release/liblvl.so PYTHONPATH=bindings/python bindings/python/examples/dask_scan.py [FILES]

Needs Debian's python3-distributed. Prints the protocol. With Spark the same function is a UDF over its source of binary files:

    spark.read.format("binaryFile").load("levels/*").rdd.map(lambda row: lvl.scan_bytes(row.path, bytes(row.content)))
"""
import json
import os
import signal
import subprocess
import sys
import tempfile
import time

from distributed import Client

import lvl

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__)))))


def make(folder, count):
    """Variants of the samples, each another file."""
    sources = []
    for name in ("graal/lakeside/lake_meadow.nw", "graal/versions/gr-v1.03.graal", "wwd/cliffs.wwd", "sketchy/hill-v4.level"):
        with open(os.path.join(ROOT, "samples", name), "rb") as file:
            sources.append((os.path.splitext(name)[1], file.read()))
    paths = []
    for i in range(count):
        ending, data = sources[i % len(sources)]
        if i % 50 == 49:
            data = data[: len(data) // 2]  # damaged, or not readable at all
        path = os.path.join(folder, f"level-{i:05}{ending}")
        with open(path, "wb") as file:
            file.write(data)
        paths.append(path)
    return paths


def scan(paths):
    rows = []
    for path in paths:
        with open(path, "rb") as file:
            rows.append(lvl.scan_bytes(path, file.read()))
    return rows


def info_rows(command, paths):
    """What `lvl info` says, by path."""
    out = subprocess.run([command, "info", "--json", "-j1", *paths], capture_output=True).stdout.splitlines()
    rows = {row["file"]: row for row in map(json.loads, out) if "format" in row}
    for row in rows.values():
        row.pop("art", None)
    return rows


def stored(row, columns):
    """What the catalogue stores of a row: no lists, nothing that is 0, false or empty, and nothing that is a column."""
    if "error" in row:
        return None
    keep = {name: value for name, value in row.items() if value and not isinstance(value, list) and name not in columns}
    return {**keep, "file": row["file"], "format": row["format"], "bytes": row["bytes"], "sha256": row["sha256"]}


def catalogue_rows(command, folder):
    """What `lvl scan` stores of the levels of a folder, by path, and the names of columns; None for a file that cannot be read."""
    catalogue = os.path.join(folder, "catalogue.db")
    subprocess.run([command, "scan", "-q", "--no-thumbnails", "-o", catalogue, folder], check=True)
    query = "SELECT f.*, a.* FROM files f LEFT JOIN all_levels a ON a.path = f.path WHERE f.name LIKE 'level-%'"
    out = subprocess.run([command, "find", "--in", catalogue, "--json", "--sql", query], check=True, capture_output=True).stdout
    rows, columns = {}, set()
    for row in map(json.loads, out.splitlines()):
        columns |= set(row)
        head = {"file": row["path"], "format": row["format"], "bytes": row["size"], "sha256": row["sha256"]}
        rows[row["path"]] = {**json.loads(row["info"]), **head} if row["info"] is not None else None
        (rows[row["path"]] or {}).pop("art", None)
    return rows, columns


def process(*command):
    return subprocess.Popen([sys.executable, "-m", *command], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True)


def main():
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 20000
    with tempfile.TemporaryDirectory() as folder:
        paths = make(folder, count)
        start = time.perf_counter()
        expected = scan(paths)
        alone = time.perf_counter() - start
        print(f"one process: {count} files in {alone:.1f} s, {count / alone:.0f} a second")
        file = os.path.join(folder, "scheduler.json")
        started = [process("distributed.cli.dask_scheduler", "--scheduler-file", file, "--port", "0", "--no-dashboard")]
        try:
            started += [process("distributed.cli.dask_worker", "--scheduler-file", file, "--nthreads", "1", "--no-nanny",
                                "--no-dashboard", "--local-directory", folder) for _ in range(4)]
            with Client(scheduler_file=file, timeout=60) as client:
                client.wait_for_workers(4, timeout=120)
                print(f"cluster: {len(client.scheduler_info()['workers'])} workers")
                start = time.perf_counter()
                parts = [paths[i : i + 100] for i in range(0, count, 100)]
                futures = client.map(scan, parts, pure=False, retries=5)
                while sum(f.status == "finished" for f in futures) < len(futures) // 4:
                    time.sleep(0.05)
                done = sum(f.status == "finished" for f in futures)
                os.kill(started[2].pid, signal.SIGKILL)
                print(f"a worker was killed after {done} of {len(futures)} parts")
                rows = [row for part in client.gather(futures) for row in part]
                print(f"Dask: {count} files in {time.perf_counter() - start:.1f} s; "
                      f"{len(client.scheduler_info()['workers'])} workers at the end")
        finally:
            for one in started:
                one.kill()
                one.wait()
        same = rows == expected
        print("the table is the same as that of one process:", same)
        command = os.environ.get("LVL")
        if command:
            for row in rows:
                row.pop("art", None)  # bytes have no files around them
            ours = {row["file"]: row for row in rows if "error" not in row}
            start = time.perf_counter()
            theirs = info_rows(command, paths)
            spent = time.perf_counter() - start
            same = same and all(theirs.get(name) == row for name, row in ours.items()) and len(ours) > count * 9 // 10
            print(f"the same as lvl info --json: {same}; it takes {spent:.1f} s, scan_bytes {alone / spent:.2f} times that")
            left, columns = catalogue_rows(command, folder)
            different = [row["file"] for row in rows if left.pop(row["file"], None) != stored(row, columns)]
            same = same and not different and not left
            print(f"the same as the catalogue of lvl scan: {not different and not left}", *different[:3], *list(left)[:3])
        return 0 if same else 1


if __name__ == "__main__":
    sys.exit(main())
