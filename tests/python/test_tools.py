"""What the package does equals what the command does, on the samples and, if they are there, on real files."""
import concurrent.futures
import io
import json
import os
import pathlib
import pickle
import struct
import threading
import warnings
import zlib

import pytest
from conftest import CORPUS, ROOT, SAMPLES, sample_files

import lvl
from lvl._records import numpy

np = numpy()

FILES = sample_files()
DAMAGED = ["wwd/damaged", "graal/damaged", "sketchy/damaged"]
LEVELS = [f for f in FILES if f.endswith((".wwd", ".nw", ".graal", ".level"))]


def path(name):
    return os.path.join("samples", name)


def read(name):
    with open(name, "rb") as file:
        return file.read()


def pixels(png):
    """The parts of a PNG with its compressed ones unpacked: isa-l does not always compress in the same way."""
    parts, data, at = [], b"", 8
    while at < len(png):
        size, kind = struct.unpack(">I4s", png[at : at + 8])
        body, at = png[at + 8 : at + 8 + size], at + 12 + size
        if kind in (b"IDAT", b"fdAT"):
            data += body if kind == b"IDAT" else body[4:]
        else:
            if data:
                parts.append((b"IDAT", zlib.decompress(data)))
            data = b""
            parts.append((kind, body))
    return parts


@pytest.fixture(autouse=True)
def in_root(monkeypatch):
    monkeypatch.chdir(ROOT)


@pytest.mark.parametrize("name", FILES)
def test_a_file_is_the_same(name, command, tmp_path):
    doc = lvl.open(path(name))
    with open(path(name), "rb") as file:
        assert doc.to_bytes() == file.read()
    assert doc.dump() == command("dump", path(name)).decode()
    assert doc.info() == json.loads(command("info", "--json", path(name)))
    assert lvl.undump(doc.dump()).to_bytes() == doc.to_bytes()
    assert doc.check().verdict == "sound"
    for field in doc._fields_.values():  # every member can be read
        field.__get__(doc, type(doc))
    doc.to_dict()
    assert doc.to_bytes() == lvl.open(path(name)).to_bytes()  # late members were decoded, and nothing else


@pytest.mark.parametrize("name", LEVELS[::4])
def test_a_picture_is_the_same(name, command, tmp_path):
    out = tmp_path / "picture.png"
    command("render", path(name), "--size", "300", "-o", out)
    picture = lvl.open(path(name)).render(size=300)
    assert pixels(picture.png) == pixels(out.read_bytes())
    grid = lvl.open(path(name)).render_pixels(size=300)
    assert tuple(grid.shape) == (picture.height, picture.width, 4)


def test_pictures_with_options(command, tmp_path):
    doc = lvl.open("samples/wwd/cliffs.wwd")
    for options, flags in [
        (dict(schematic=True, scale="1/2"), ["--schematic", "--scale", "1/2"]),
        (dict(camera=(2240, 448), view=(576, 384)), ["--camera", "2240,448", "--view", "576x384"]),
        (dict(layer="Action", overlay="all", region=(0, 0, 500, 300)),
         ["--plane", "Action", "--overlay", "all", "--region", "0,0,500,300"]),
        (dict(art="samples/wwd/SAMPLES.REZ", size=200), ["--art", "samples/wwd/SAMPLES.REZ", "--size", "200"]),
        (dict(layers=["Action", "objects"], size=(300, 90)), ["--layers", "Action,objects", "--size", "300x90"]),
        (dict(layers="0", crop=True, size="300"), ["--layers", "0", "--crop", "--size", "300"]),
        (dict(hide=["action", 0], transparent=True, scale="1/4"),
         ["--hide", "action,0", "--transparent", "--scale", "1/4"]),
        (dict(plane=1, things=False, scale="1/4"), ["--plane", "1", "--hide", "objects", "--scale", "1/4"]),
        (dict(overlay=["grid", "legend"], scale="1/4"), ["--overlay", "grid,legend", "--scale", "1/4"]),
    ]:
        out = tmp_path / "picture.png"
        command("render", "-y", "samples/wwd/cliffs.wwd", *flags, "-o", out)
        assert pixels(doc.render(**options).png) == pixels(out.read_bytes()), options
    with pytest.raises(lvl.MissingError, match="expected one of"):
        doc.render(layer="Attic")
    with pytest.raises(lvl.ArgumentError):
        doc.render(overlay="everything")
    with pytest.raises(lvl.LvlError):
        doc.render(art="no/such/folder")


def test_pictures_of_animations(command, tmp_path):
    name = "samples/graal/ganis/hero_walk.gani"
    doc = lvl.open(name)
    for options, flags in [
        (dict(), []),
        (dict(frame=1, direction="left", scale=4), ["--frame", "1", "--direction", "left", "--scale", "4"]),
        (dict(sheet=True), ["--sheet"]),
        (dict(sheet=True, direction="up", size=200), ["--sheet", "--direction", "up", "--size", "200"]),
        (dict(apng=True, direction="left"), ["--apng", "--direction", "left"]),
        (dict(choices={"HEAD": "none.png", "SKIN": "white"}), ["--with", "HEAD=none.png", "--with", "SKIN=white"]),
    ]:
        out = tmp_path / "picture.png"
        command("render", "-y", name, *flags, "-o", out)
        assert pixels(doc.render(**options).png) == pixels(out.read_bytes()), options
    for options, error in [(dict(frame=99), lvl.MissingError), (dict(frame="nose"), lvl.MissingError),
                           (dict(direction="in"), lvl.MissingError), (dict(sheet=True, frame=1), lvl.ArgumentError),
                           (dict(sheet=True, apng=True), lvl.ArgumentError)]:
        with pytest.raises(error):
            doc.render(**options)
    for options in (dict(frame=1), dict(apng=True), dict(plane=0, camera=(1, 1)), dict(crop=True, view="10x10"),
                    dict(scale="2/3"), dict(region=(0, 0, 0, 1)), dict(size=0)):
        with pytest.raises(lvl.ArgumentError):
            lvl.open("samples/wwd/cliffs.wwd").render(**options)


def test_assignments_are_the_same(command, tmp_path):
    assignments = ['planes["Action"].objects[logic=Soldier].health=20', "start_x+=64", 'planes[0].tiles[0,0 3,2]=5']
    out = tmp_path / "new.wwd"
    command("set", "samples/wwd/cliffs.wwd", *assignments, "-o", out)
    doc = lvl.open("samples/wwd/cliffs.wwd")
    assert doc.set(*assignments) > 2
    assert doc.to_bytes() == out.read_bytes()
    again = lvl.open("samples/wwd/cliffs.wwd", lvl.Wwd)
    for o in again.planes["Action"].objects.where(logic="Soldier"):
        o.health = 20
    again.start_x += 64
    grid = again.planes[0].tiles
    for y in range(3):
        for x in range(4):
            grid[y, x] = 5
    assert again.to_bytes() == out.read_bytes()
    with pytest.raises(lvl.ArgumentError):
        doc.set("nothing=5")
    with pytest.raises(lvl.MissingError):
        doc.set('planes["Attic"].z=5')


def test_differences_are_the_same(command, tmp_path):
    a, b = lvl.open("samples/wwd/cliffs.wwd"), lvl.open("samples/wwd/cliffs.wwd")
    assert not lvl.diff(a, b)
    b.planes["Action"].objects[71].health = 20
    b.save(tmp_path / "b.wwd")
    b = lvl.open(tmp_path / "b.wwd")
    found = lvl.diff(a, b)
    assert found and found.text == command("diff", "samples/wwd/cliffs.wwd", tmp_path / "b.wwd", code=1).decode()
    lines = command("diff", "--json", "samples/wwd/cliffs.wwd", tmp_path / "b.wwd", code=1).splitlines()
    assert [{"file": "samples/wwd/cliffs.wwd", **change} for change in found.changes] == [json.loads(line) for line in lines]
    with pytest.raises(lvl.ArgumentError, match="different formats"):
        lvl.diff(a, lvl.open("samples/sketchy/hill-v4.level"))


def test_merges_are_the_same(command, tmp_path):
    for name, x, health in (("ours", 5, None), ("theirs", 6, 30)):
        doc = lvl.open("samples/wwd/cliffs.wwd", lvl.Wwd)
        doc.planes["Action"].objects[0].x = x
        if health:
            doc.planes["Action"].objects[71].health = health
        doc.save(tmp_path / f"{name}.wwd")
    base, ours, theirs = lvl.open("samples/wwd/cliffs.wwd"), *(lvl.open(tmp_path / f"{n}.wwd") for n in ("ours", "theirs"))
    made = lvl.merge(base, ours, theirs)
    command("merge", "samples/wwd/cliffs.wwd", tmp_path / "ours.wwd", tmp_path / "theirs.wwd", "-o",
            tmp_path / "merged.wwd", code=1)
    assert made.conflicts == 1 and len(made.findings) == 1
    assert made.to_bytes() == (tmp_path / "merged.wwd").read_bytes()
    assert made.document.planes["Action"].objects[71].health == 30
    assert lvl.merge(base, ours, theirs, prefer="theirs").document.planes["Action"].objects[0].x == 6
    with pytest.raises(lvl.ArgumentError):
        lvl.merge(base, ours, theirs, prefer="mine")


def test_conversions_are_the_same(command, tmp_path):
    doc = lvl.open("samples/graal/versions/gr-v1.05.graal")
    with pytest.raises(lvl.LossError) as caught:
        doc.convert("gr-v1.01")
    assert any(f.id == "graal.loss.heights" for f in caught.value.findings)
    for source, form, ending in (("graal/versions/gr-v1.05.graal", "gr-v1.01", "graal"),
                                 ("graal/versions/gr-v1.03.graal", "nw", "nw"), ("sketchy/hill-v4.level", "v1", "level"),
                                 ("wwd/cliffs.wwd", "sketchy", "level")):
        out = tmp_path / f"to-{form}.{ending}"
        command("convert", path(source), "--to", form, "--allow-loss", "-o", out)
        made = lvl.open(path(source)).convert(form, allow_loss=True)
        if form == "sketchy":  # pixels and actors; the file has a random key
            assert not lvl.diff(made.document, lvl.open(out)).different
        else:
            assert made.to_bytes() == out.read_bytes()
            assert made.document.to_bytes() == made.to_bytes()
    with pytest.raises(lvl.ArgumentError):
        doc.convert("gr-v9")
    with pytest.raises(lvl.UnsupportedError):
        lvl.open("samples/wwd/cliffs.wwd").convert("nw")


@pytest.mark.parametrize("folder", DAMAGED)
def test_repairs_are_the_same(folder, command, tmp_path):
    for name in sorted(os.listdir(path(folder))):
        file = path(os.path.join(folder, name))
        if not os.path.isfile(file):
            continue
        try:
            doc = lvl.open(file)
        except lvl.FormatError:
            continue
        verdict = json.loads(command("check", "--json", file, code=1 if doc.check().verdict != "sound" else 0))
        assert doc.check().verdict == verdict["verdict"], name
        assert [f.id for f in doc.check().findings] == [f["id"] for f in verdict["findings"]], name
        if doc.format in ("rez", "pcx", "pal"):
            continue
        out = tmp_path / name
        try:
            made = doc.repair()
        except lvl.LvlError:
            continue
        after = made.document.check().verdict
        command("repair", file, "-o", out, code=0 if after == "sound" else 1)
        assert made.to_bytes() == out.read_bytes(), name


@pytest.mark.parametrize("name, change", [
    ("wwd/damaged/truncated.wwd", "start_x+=1"),  # still cut after the edit
    ("sketchy/damaged/cut-gzip.level", "title=x"),  # its JSON would be whole
    ("graal/damaged/cut-npcs.graal", "npcs[0].x=3"),
])
def test_damage_is_not_hidden(name, change, command, tmp_path):
    """A file that is cut off is not replaced by one that looks whole; the rule of the command."""
    mine, theirs = tmp_path / os.path.basename(name), tmp_path / ("theirs-" + os.path.basename(name))
    for file in (mine, theirs):
        file.write_bytes(read(path(name)))
    doc = lvl.open(mine)
    assert doc.findings and doc.to_bytes() == read(path(name))
    doc.set(change)
    try:
        doc.save()
        replaced = True
    except lvl.LossError as error:
        assert "would look whole" in str(error)
        replaced = False
        assert mine.read_bytes() == read(path(name))
        with pytest.raises(lvl.LossError):
            doc.to_bytes()
    assert replaced == (name == "wwd/damaged/truncated.wwd")
    command("set", "-i", theirs, change, code=0 if replaced else 1)
    assert mine.read_bytes() == theirs.read_bytes()
    doc.save(tmp_path / ("other-" + mine.name))  # another file
    command("set", path(name), change, "-o", theirs, "-y")
    assert (tmp_path / ("other-" + mine.name)).read_bytes() == theirs.read_bytes()
    doc.save(allow_damaged=True)
    assert mine.read_bytes() == theirs.read_bytes()
    with pytest.warns(lvl.FindingWarning):
        lvl.open(path(name), warn=True)


def test_parts_of_damaged_documents(tmp_path):
    """What was copied from a cut file, or is a part of a damaged member, does not replace its source."""
    import zipfile

    level = lvl.open("samples/graal/versions/gr-v1.05.graal")
    level.copy_from(lvl.open("samples/graal/damaged/cut-npcs.graal"), "npcs")
    with pytest.raises(lvl.LossError, match="would look whole"):
        level.to_bytes()
    level.save(tmp_path / "x.graal")
    pack = tmp_path / "old.zip"
    with zipfile.ZipFile(pack, "w", zipfile.ZIP_STORED) as archive:
        archive.writestr("a.nw", b"GLEVNW01\nLINK a.nw 1 2 3 4 5 6\n")
    data = bytearray(pack.read_bytes())
    data[data.index(b"LINK a.nw") + 5] ^= 1  # the checksum is wrong now
    pack.write_bytes(data)
    doc = lvl.open(f"{pack}//a.nw")
    assert "lvl.member.damaged" in [f.id for f in doc.findings]
    doc.links[0].x = 9
    with pytest.raises(lvl.LossError, match="would look whole"):
        doc.to_bytes()
    assert b"9 2" in doc.to_bytes(allow_damaged=True)


def test_only_the_opened_file_is_replaced(tmp_path):
    """What merge, convert or repair made is a new document, and so are bytes with a name."""
    name = str(tmp_path / "cliffs.wwd")
    before = read("samples/wwd/cliffs.wwd")
    for made in (lambda d: lvl.merge(d, d, d).document, lambda d: d.repair().document, lambda d: lvl.undump(d.dump(), name=name),
                 lambda d: lvl.open(before, name=name), lambda d: lvl.new("wwd")):
        with open(name, "wb") as file:
            file.write(before)
        document = made(lvl.open(name))
        with pytest.raises(lvl.ArgumentError, match="needs a path"):
            document.save()
        assert read(name) == before
    for document in (lvl.open(name), lvl.open(name, format="wwd")):
        document.set("start_x=5")
        document.save()
        assert lvl.open(name).start_x == 5


def test_wrong_arguments_say_what_was_expected():
    level, drawing = lvl.open("samples/wwd/cliffs.wwd"), lvl.open("samples/graal/lakeside/lake_mill.nw")
    with pytest.raises(lvl.ArgumentError, match=r"form of nw \(.*gr-v1.03.*found 'zelda'"):
        drawing.convert("zelda")
    with pytest.raises(lvl.UnsupportedError, match="wwd has no other form, found 'xx'"):
        level.convert("xx")
    with pytest.raises(TypeError, match="expected the name of a form"):
        drawing.convert(lvl.GraalVersion.GR_V1_03)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="expected documents"):
        lvl.diff("a.wwd", level)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="logic='Rat'|such as"):
        level.planes[0].objects.where("Rat")
    assert repr(level.repair()) == "<Made wwd: 0 findings, 0 conflicts>"


def test_scans_that_check():
    whole = read("samples/wwd/cliffs.wwd")
    row = lvl.scan_bytes("a.wwd", whole[:3000], check=True)
    assert row["verdict"] == "damaged" and row["errors"] > 0 and isinstance(row["warnings"], int)
    assert lvl.scan_bytes("a.wwd", whole, check=True)["verdict"] == "sound"
    assert "verdict" not in lvl.scan_bytes("a.wwd", whole) and "verdict" not in lvl.scan_bytes("a.txt", b"x", check=True)


def test_explanations(command):
    doc = lvl.open("samples/wwd/cliffs.wwd")
    assert doc.explain(0x5F4) == command("explain", "--at", "0x5f4", "samples/wwd/cliffs.wwd").decode()
    assert any(span["path"] == "start_x" for span in doc.spans())
    with pytest.raises(lvl.LvlError):
        doc.explain("0xzz")


def test_ways_to_open(tmp_path):
    name = "samples/sketchy/walk.levelpack//levels/hill.level"
    hill = lvl.open(name, lvl.Drawing)
    assert hill.title
    data = read("samples/sketchy/hill-v4.level")
    assert lvl.open(data, name="hill.level").format == lvl.open(io.BytesIO(data)).format == "sketchy"
    with open("samples/sketchy/hill-v4.level", "rb") as file:
        assert lvl.open(file).filename.endswith("hill-v4.level")
    with pytest.raises(FileNotFoundError):
        lvl.open("no/such.wwd")
    with pytest.raises(lvl.MissingError):
        lvl.open("samples/sketchy/walk.levelpack//levels/none.level")
    with pytest.raises(OSError):
        lvl.open("samples/sketchy")
    with pytest.raises(lvl.ForeignError):
        lvl.open(b"not a level")
    with pytest.raises(lvl.ForeignError, match="expected Wwd"):
        lvl.open("samples/sketchy/hill-v4.level", lvl.Wwd)
    with pytest.raises(lvl.LimitError):
        lvl.open("samples/wwd/cliffs.wwd", limits={"items": 3})
    with pytest.raises(lvl.ArgumentError):
        lvl.open("samples/wwd/cliffs.wwd", limits={"itmes": 3})
    with pytest.raises(lvl.ArgumentError):
        lvl.open("samples/wwd/cliffs.wwd", profile="lenient")
    with pytest.raises(lvl.ArgumentError):
        lvl.open("samples/wwd/cliffs.wwd", codepage="cp437")
    with pytest.raises(TypeError), open("samples/README.md") as file:
        lvl.open(file)
    assert lvl.open("samples/wwd/polish.wwd", codepage="windows-1250").codepage == "windows-1250"
    pack = lvl.open("samples/sketchy/walk.levelpack")
    assert "levels/hill.level" in [m["path"] for m in pack.list_members()]
    new = hill
    new.title = "Another hill"
    pack.write_member("levels/hill.level", new.to_bytes())
    pack.save(tmp_path / "walk.levelpack")
    assert lvl.open(f"{tmp_path}/walk.levelpack//levels/hill.level").title == "Another hill"
    assert lvl.open(f"{tmp_path}/walk.levelpack").read_member("levels/hill.level") == new.to_bytes()


def test_new_levels(tmp_path):
    doc = lvl.new("wwd", width=20, height=10)
    assert doc.check().sound and doc.to_bytes()[:4] == b"\xf4\x05\0\0"
    like = lvl.new("wwd", like=lvl.open("samples/wwd/cliffs.wwd"))
    assert [p.name for p in like.planes] == [p.name for p in lvl.open("samples/wwd/cliffs.wwd").planes]
    doc.resize(30, 12)
    assert doc.planes[0].tiles.shape == (12, 30)
    with pytest.raises(lvl.ArgumentError):
        lvl.new("tmx")
    for form in ("nw", "graal", "sketchy", "gmap"):
        assert lvl.new(form).to_bytes()


def test_moves_are_the_same(command, tmp_path):
    """Python's move and `lvl move`, with each option."""
    cliffs, village = path("wwd/cliffs.wwd"), path("graal/lakeside/lake_village.nw")
    officers = "planes[Action].objects[logic=Officer]"
    for file, arguments, options in (
            (cliffs, [officers, "+128,0"], {"paths": officers, "by": (128, 0)}),
            (cliffs, [officers, "+2,-1", "--unit", "tiles"], {"paths": [officers], "by": (2, -1), "unit": "tiles"}),
            (cliffs, ["--tiles", "4,2,8,6", "+20,0"], {"tiles": (4, 2, 8, 6), "by": (20, 0)}),
            (cliffs, ["--tiles", "1,1,2,2", "+3,0", "--plane", "Clouds"],
             {"tiles": (1, 1, 2, 2), "by": (3, 0), "plane": "Clouds"}),
            (village, ["npcs[0]", "+0.5,-1"], {"paths": "npcs[0]", "by": (0.5, -1)})):
        command("move", file, *arguments, "-o", tmp_path / "out", "-y", "-q")
        doc = lvl.open(file)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of cells that are overwritten
            assert doc.move(**options) > 0
        assert doc.to_bytes() == (tmp_path / "out").read_bytes(), arguments
    level = lvl.open(cliffs, lvl.Wwd)
    first, second = level.main_plane.objects[0], level.main_plane.objects[1]
    places = [(o.x, o.y) for o in (first, second)]
    assert level.move(["planes[Action].objects[0]", "planes[Action].objects[1]"], [(64, 0), (0, -32)]) == 2
    assert [(first.x, first.y), (second.x, second.y)] == [(places[0][0] + 64, places[0][1]), (places[1][0], places[1][1] - 32)]
    with pytest.raises(lvl.ArgumentError, match="outside of the level"):
        level.move("planes[Action].objects[0]", (-100000, 0))
    assert level.move("planes[Action].objects[0]", (-100000, 0), outside=True) == 1
    for wrong in ({}, {"by": (1, 0)}, {"paths": officers, "by": []}, {"paths": officers, "by": (1, 0), "unit": "miles"},
                  {"paths": [officers], "by": [(1, 0), (2, 0)]}, {"paths": officers, "tiles": (1, 1, 2, 2), "by": (1, 0)}):
        with pytest.raises(lvl.ArgumentError):
            level.move(**wrong)


def test_notebooks():
    doc = lvl.open("samples/wwd/cliffs.wwd")
    assert doc._repr_png_()[:4] == b"\x89PNG" and "Grey Cliffs" in doc._repr_html_() and "<img" in doc._repr_html_()
    assert lvl.open("samples/sketchy/walk.levelpack")._repr_png_() is None


def test_scans_are_pure(command):
    data = read("samples/wwd/cliffs.wwd")
    scan = pickle.loads(pickle.dumps(lvl.scan_bytes))
    found, expected = scan("samples/wwd/cliffs.wwd", data), json.loads(command("info", "--json", "samples/wwd/cliffs.wwd"))
    assert found.pop("art") == "none given" and expected.pop("art") == "found"  # bytes have no files around them
    assert expected.pop("tiles_without_picture") == 0  # counted only where art is found
    assert found == expected
    assert scan("x", b"not a level")["error"] == "ForeignError"


def test_many_threads_read_one_document():
    doc = lvl.open("samples/wwd/cliffs.wwd")
    expected = (doc.dump(), doc.render(size=64).png, doc.planes["Action"].tiles.tolist())
    wrong = []

    def read():
        for _ in range(5):
            if (doc.dump(), doc.render(size=64).png, doc.planes["Action"].tiles.tolist()) != expected:
                wrong.append(1)

    threads = [threading.Thread(target=read) for _ in range(4)]
    for one in threads:
        one.start()
    for one in threads:
        one.join()
    assert not wrong


def corpus_files():
    endings = tuple("." + ending for f in lvl.formats() for ending in f["extensions"])
    found = []
    for folder, _, names in os.walk(CORPUS):
        found += [os.path.join(folder, n) for n in names if n.lower().endswith(endings) and "." in n]
    return sorted(found)


@pytest.mark.skipif(not os.path.isdir(CORPUS), reason="no real files")
def test_real_files():
    """A part of them; all are read by tests of the library."""
    files = [f for f in corpus_files() if os.path.getsize(f) < 1 << 20]
    for file in files[:: max(1, len(files) // 150)]:
        try:
            doc = lvl.open(file)
        except lvl.LvlError:
            continue
        with open(file, "rb") as stream:
            assert doc.to_bytes() == stream.read(), file
        for field in doc._fields_.values():
            field.__get__(doc, type(doc))
        doc.to_dict()
        doc.scene() if doc.format in ("wwd", "nw", "graal", "gani") else None


def test_members_of_archives(tmp_path):
    """Zips, tars and archives in archives are read as the command reads them; packs as before."""
    import tarfile
    import zipfile

    level = read("samples/wwd/cliffs.wwd")
    inner = tmp_path / "inner.tar.gz"
    with tarfile.open(inner, "w:gz") as tar:
        tar.add("samples/graal/lakeside/lake_mill.nw", "levels/lake_mill.nw")
    with zipfile.ZipFile(tmp_path / "old.zip", "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("wwd/cliffs.wwd", level)
        archive.write(inner, "backup/inner.tar.gz")
    old = str(tmp_path / "old.zip")
    doc = lvl.open(old + "//wwd/cliffs.wwd")
    assert doc.to_bytes() == level and doc.filename == old + "//wwd/cliffs.wwd"
    assert [m["path"] for m in lvl.list_archive(old)] == ["backup/inner.tar.gz", "wwd/cliffs.wwd"]
    assert [m["path"] for m in lvl.list_archive(old + "//wwd")] == ["wwd/cliffs.wwd"]
    with pytest.raises(lvl.ForeignError, match="name a file in it"):
        lvl.open(old)
    with pytest.raises(lvl.MissingError, match="has no member 'wwd/none.wwd'"):
        lvl.open(old + "//wwd/none.wwd")
    with pytest.raises(lvl.ArgumentError, match="folder"):
        lvl.open(old + "//wwd")
    with pytest.raises(lvl.ArgumentError):
        doc.save()
    try:
        members = lvl.list_archive(old + "//backup/inner.tar.gz")
    except lvl.UnsupportedError:
        return  # a library without libarchive
    assert "levels/lake_mill.nw" in [m["path"] for m in members]
    inside = lvl.open(old + "//backup/inner.tar.gz//levels/lake_mill.nw")
    assert inside.format == "nw" and inside.to_bytes() == read("samples/graal/lakeside/lake_mill.nw")


def arrow_rows():
    rows = [lvl.scan_bytes(name, read(path(name))) for name in ("wwd/cliffs.wwd", "sketchy/hill-v4.level")]
    rows.append(lvl.scan_bytes("broken", b"nothing"))
    return rows


def test_columns_for_arrow(monkeypatch):
    """Columns of rows with different members, without pyarrow."""
    import sys
    import types

    rows = arrow_rows()
    assert rows[2]["error"] == "ForeignError" and pickle.loads(pickle.dumps(rows)) == rows
    monkeypatch.setitem(sys.modules, "pyarrow", types.SimpleNamespace(table=dict))
    table = lvl.rows_to_arrow(rows)
    assert set(table) == {name for row in rows for name in row}
    assert table["format"] == ["wwd", "sketchy", None] and table["error"] == [None, None, "ForeignError"]
    for column in table.values():
        kinds = {type(value) for value in column if value is not None}
        assert len(column) == 3 and (str not in kinds or kinds == {str}), column
    assert rows[0].to_arrow()["file"] == ["wwd/cliffs.wwd"]


def test_tables_of_arrow():
    pytest.importorskip("pyarrow")
    rows = arrow_rows()
    assert rows[0].to_arrow().num_rows == 1 and lvl.rows_to_arrow(rows).num_rows == 3


def test_sources_and_completion():
    """Bytes of a server (a response with read), files, memory; names that an editor or notebook offers."""
    import gzip
    import urllib.request

    file = path("wwd/cliffs.wwd")
    with urllib.request.urlopen("file://" + os.path.abspath(file)) as response:
        level = lvl.open(response)
    with open(file, "rb") as handle:
        assert lvl.open(handle).filename == file
    packed = io.BytesIO(gzip.compress(read(file)))
    for source in (memoryview(read(file)), bytearray(read(file)), gzip.GzipFile(fileobj=packed)):
        assert lvl.open(source).to_bytes() == level.to_bytes() == read(file)
    with open(file, encoding="latin-1") as text, pytest.raises(TypeError, match="reading bytes"):
        lvl.open(text)
    assert {"planes", "start_x", "render", "save"} <= set(dir(level))
    assert {"tiles", "objects", "width_px"} <= set(dir(level.planes["Action"])) and "tiles" not in dir(level)
    assert "Action" in level.planes._ipython_key_completions_()


def test_a_picture_says_what_was_missing(samples):
    art = os.path.join(samples, "wwd/SAMPLES.REZ")
    with open(os.path.join(samples, "wwd/cliffs.wwd"), "rb") as file:
        level = lvl.open(file.read(), name="cliffs.wwd")
    assert level.render(size=50).missing == ["no art was found: drawn schematically"]
    assert level.render(size=50, schematic=True).missing == []
    assert level.render(size=50, art=art).missing == []
    things = level.main_plane.objects
    for thing in things[:2]:
        thing.image_set = "GAME_NOSUCH"
    missing = level.render(size=50, art=art).missing
    assert len(missing) == 1 and missing[0].endswith("NOSUCH: 2 objects"), missing
    assert "1 missing" in repr(level.render(size=50, art=art))


def test_one_art_for_a_folder(tmp_path, monkeypatch):
    """Many documents of a folder share what was found there; what changes on disk between two calls is seen."""
    picture = pathlib.Path(SAMPLES, "graal/cat.png").read_bytes()
    level = lvl.new("graal", ending="nw")
    level.npcs.append(image="cat.png", x=10, y=10)
    for i in range(40):
        level.save(tmp_path / f"level{i:02}.nw")
    (tmp_path / "pics1.png").write_bytes(pathlib.Path(SAMPLES, "graal/pics1.png").read_bytes())
    made = []
    new = lvl._native.art_shared
    monkeypatch.setattr(lvl._native, "art_shared", lambda roots: made.append(roots) or new(roots))
    monkeypatch.setattr(lvl._native, "_arts", lvl._native._Arts())
    documents = [lvl.open(path) for path in sorted(tmp_path.glob("*.nw"))]
    for one in documents:
        one.check()
        assert one.render(size=64).missing
    assert len(made) == 1
    # a picture that comes, is replaced, and goes
    (tmp_path / "cat.png").write_bytes(picture)
    first = documents[3].render()
    assert not first.missing
    cat = lvl.open(os.path.join(SAMPLES, "sketchy/hill-v4.level")).render(size=24)
    (tmp_path / "cat.png").write_bytes(cat.png)
    assert documents[4].render().png != first.png
    (tmp_path / "cat.png").unlink()
    assert documents[3].render().missing
    # folders that are named
    (tmp_path / "art").mkdir()
    (tmp_path / "sub").mkdir()
    (tmp_path / "sub" / "cat.png").write_bytes(picture)
    for one in documents:
        assert one.render(size=64, art=tmp_path / "sub").missing == []
        assert one.check(art=[tmp_path / "sub"]).findings == documents[0].check(art=[tmp_path / "sub"]).findings
    assert len(made) == 2
    with pytest.raises(lvl.MissingError, match="no-such-folder"):
        documents[0].render(art="no-such-folder")
    with pytest.raises(lvl.ArgumentError, match="empty"):
        documents[0].render(art="")
    # bytes have no place, and another thread has an art of its own
    assert lvl.open(documents[0].to_bytes()).render(size=64).missing
    with concurrent.futures.ThreadPoolExecutor(4) as pool:
        assert all(one.missing == [] for one in pool.map(lambda d: d.render(size=64, art=tmp_path / "sub"), documents))
