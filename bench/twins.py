#!/usr/bin/env python3
"""Measures what each second implementation that is there for speed saves a user: bench/twins.py [ROUNDS [FOLDER]].

Builds the command without each of them (into FOLDER, or a temporary folder), and runs a user's command with both builds in turn. A twin
stays while the command takes at least 1.3 times as long without it; exit code 1: one does not. A new twin gets a row here.
"""
import pathlib
import resource
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
LEAST = 1.3
LEVELS = 1000
# name, how it is left out (options of CMake; or a text in a source file, and what replaces it), the command
TWINS = [
    ("isa-l for PNG (else libdeflate)", ["-DLVL_ISAL_LIBRARY="], ["render", "cliffs.wwd", "-o", "cliffs.png", "-y", "-q"]),
    ("whole rows of a BOARD", ("src/graal/level/nw_board.c", "    if (!head ||", "    if (1 || !head ||"),
     ["get", "levels", "npcs[*].x", "-j1"]),  # `check` reads with a sink, and so line by line
    ("instructions for SHA-256", ("src/base/sha.c", "#if defined __x86_64__", "#if 0 && defined __x86_64__"),
     ["info", "--json", "levels", "-j1"]),
    ("means of opaque pixels", ("src/render/reduce_small.c", "    const bool plain = whole &&", "    const bool plain = false && whole &&"),
     ["render", "--size", "256", "large.level", "-o", "small.png", "-y", "-q"]),
]


def build(folder: pathlib.Path, without: list[str] | tuple[str, str, str]) -> pathlib.Path:
    options, source = without, ROOT
    if isinstance(without, tuple):
        name, old, new = without
        options, source = [], folder.with_suffix(".source")
        shutil.copytree(ROOT, source, ignore=shutil.ignore_patterns("build", ".git", "tests"), dirs_exist_ok=True)
        text = (ROOT / name).read_text(encoding="utf-8")
        if text.count(old) != 1:
            sys.exit(f"{name}: expected {old!r} once")
        (source / name).write_text(text.replace(old, new), encoding="utf-8")
    if not (folder / "lvl").exists():
        subprocess.run(["cmake", "-S", source, "-B", folder, "-G", "Ninja", "-DCMAKE_BUILD_TYPE=Release", "-DLVL_BUILD_TESTS=OFF",
                        *options], check=True, stdout=subprocess.DEVNULL)
    subprocess.run(["cmake", "--build", folder, "--target", "lvl_command"], check=True, stdout=subprocess.DEVNULL)
    return folder / "lvl"


def seconds(command: list, work: pathlib.Path) -> float:
    """Processor time of one run."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(command, cwd=work, check=False, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def main() -> int:
    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else 15
    with tempfile.TemporaryDirectory() as temporary:
        builds = pathlib.Path(sys.argv[2]).resolve() if len(sys.argv) > 2 else pathlib.Path(temporary, "builds")
        work = pathlib.Path(temporary, "work")
        shutil.copytree(ROOT / "samples/wwd", work)
        (work / "levels").mkdir()
        levels = sorted((ROOT / "samples/graal/lakeside").glob("*.nw"))
        for n in range(LEVELS):
            shutil.copy(levels[n % len(levels)], work / f"levels/level{n}.nw")
        good = True
        usual = build(builds / "all", [])
        for step in (["render", ROOT / "samples/sketchy/hill-v3.1.level", "--scale", "20", "-o", "large.png", "-q"],
                     ["convert", "large.png", "-o", "large.level", "--to", "v4", "-q"]):
            subprocess.run([usual, *step], cwd=work, check=True)
        print(f"{'twin':36} {'command':44} {'with':>9} {'without':>9}  ratio")
        for number, (name, options, command) in enumerate(TWINS):
            without = build(builds / f"without{number}", options)
            times = [(seconds([usual, *command], work), seconds([without, *command], work)) for _ in range(rounds + 1)][1:]
            fast, slow = (sorted(column)[rounds // 2] for column in zip(*times))
            good = good and slow >= fast * LEAST
            print(f"{name:36} lvl {' '.join(command):40} {fast * 1e3:6.1f} ms {slow * 1e3:6.1f} ms  {slow / fast:5.2f}", flush=True)
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
