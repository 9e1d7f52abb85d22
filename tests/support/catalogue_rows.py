# The rows of a catalogue that `lvl catalog export --csv` wrote, in files that can be compared: keys of files are replaced by their paths, those of texts by
# their number, and rows are sorted. When a file was removed is only told as a fact. Usage: catalogue_rows.py FOLDER
import csv
import os
import sys

csv.field_size_limit(1 << 30)
folder = sys.argv[1]


def read(name):
    with open(os.path.join(folder, name + ".csv"), newline="", encoding="utf-8", errors="surrogateescape") as f:
        return list(csv.DictReader(f))


path = {row["id"]: row["path"] for row in read("files")}
for name in sorted(os.listdir(folder)):
    name = name.removesuffix(".csv")
    rows = read(name)
    for row in rows:
        if name == "files":
            del row["id"]
            row["removed"] = row["removed"] != ""
        if name == "texts":
            row["id"] = int(row["id"]) % 256
        if "file" in row:
            row["file"] = path[row["file"]]
    with open(os.path.join(folder, name + ".csv"), "w", encoding="utf-8", errors="surrogateescape") as f:
        f.writelines(sorted(repr(row) + "\n" for row in rows))
