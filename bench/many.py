#!/usr/bin/env python3
"""Scans many generated levels: bench/many.py LVL [FILES [FOLDER]].

Makes zips of 10,000 levels each from samples/graal/lakeside, every one with a sign of words of its own, scans them into one
catalogue, a tenth of them at a time, and prints files a second (processor time), the size of the catalogue, memory, and the times of
searches. The default is 100,000 files. FOLDER keeps the zips and the catalogue; otherwise they are removed. After an interrupt
(Ctrl-C) no more zips are made, and what there is is measured.
"""
import pathlib
import random
import resource
import subprocess
import sys
import tempfile
import zipfile

IN_ZIP = 10_000
SCANS = 10
WORDS = 20_000
HITS = 50


def word(number: int) -> str:
    """A word that can be read, another one for each number."""
    text = ""
    while True:
        number, a = divmod(number, 16)
        number, b = divmod(number, 5)
        text += "bdfghjklmnprstvz"[a] + "aeiou"[b]
        if not number:
            return text + "q"


def make(path: pathlib.Path, first: int, files: int, samples: pathlib.Path) -> None:
    """A zip of the levels from `first` on, of `files` in all."""
    chance = random.Random(first)
    levels = [sample.read_bytes() for sample in sorted(samples.glob("graal/lakeside/*.nw"))]
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as archive:
        for n in range(first, min(first + IN_ZIP, files)):
            # common words are more frequent than others, as in any language; HITS files have the word "rareword"
            words = [word(int(WORDS * chance.random() ** 3)) for _ in range(12)] + [f"number{n}"]
            if n % max(files // HITS, 1) == 0:
                words.append("rareword")
            level = levels[n % len(levels)].rstrip() + f"\nSIGN {n % 60} 20\n{' '.join(words)}\nSIGNEND\n".encode()
            archive.writestr(f"world{n // 100 % 100:02}/level{n}.nw", level)


def timed(*command: str) -> float:
    """Seconds of processor time, on which other load has less effect than on the clock."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(command, check=False, stdout=subprocess.DEVNULL)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def main(folder: pathlib.Path, lvl: str, files: int) -> None:
    samples = pathlib.Path(__file__).resolve().parent.parent / "samples"
    zips: list[pathlib.Path] = []
    database = str(folder / "many.db")
    rates = []
    in_scan = max(files // IN_ZIP // SCANS, 1)
    try:
        while len(zips) * IN_ZIP < files:
            step: list[pathlib.Path] = []
            for first in range(len(zips) * IN_ZIP, min(files, (len(zips) + in_scan) * IN_ZIP), IN_ZIP):
                step.append(folder / f"levels-{first // IN_ZIP:04}.zip")
                if not step[-1].exists():
                    make(step[-1], first, files, samples)
            taken = timed(lvl, "scan", "-q", "--no-thumbnails", *map(str, step), "-o", database)
            rates.append(min(len(step) * IN_ZIP, files) / taken)
            zips += step
            print(f"{len(zips) * IN_ZIP} files: {rates[-1]:.0f} files a second of processor time", flush=True)
    except KeyboardInterrupt:
        files = len(zips) * IN_ZIP
        print(f"interrupted: {files} files")
    print(f"last scan over first: {rates[-1] / rates[0]:.2f} times as fast")
    print(f"again, nothing changed: {timed(lvl, 'scan', '-q', '--no-thumbnails', *map(str, zips), '-o', database):.1f} s")
    print(f"memory: {resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024:.0f} MB at most")
    print(f"catalogue: {pathlib.Path(database).stat().st_size / files:.0f} bytes a file")
    nothing = min(timed(lvl, "version") for _ in range(5))
    for name, words in {"a word with 50 hits": ["rareword"], "two words and a facet": ["rareword", word(0), "format:nw"],
                        "one file of all": [f"number{files // 2}"]}.items():
        taken = min(timed(lvl, "find", "-l", *words, "--in", database) for _ in range(5)) - nothing
        print(f"find {name}: {taken * 1000:.0f} ms")


if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    count = int(sys.argv[2]) if len(sys.argv) > 2 else 100_000
    if len(sys.argv) > 3:
        main(pathlib.Path(sys.argv[3]), sys.argv[1], count)
    else:
        with tempfile.TemporaryDirectory() as made:
            main(pathlib.Path(made), sys.argv[1], count)
