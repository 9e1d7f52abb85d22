"""Attributes, lists, grids."""
import copy
import gc
import os
import pickle
import random
import re
import subprocess
import sys
import warnings

import pytest

import lvl
from lvl._records import numpy

np = numpy()

needs_numpy = pytest.mark.skipif(np is None, reason="no NumPy")


@pytest.fixture
def doc(samples):
    return lvl.open(os.path.join(samples, "wwd/cliffs.wwd"), lvl.Wwd)


def test_attributes_are_the_document(doc, tmp_path):
    action = doc.planes["Action"]
    x = action.objects[3].x
    action.objects[3].x += 64
    assert doc.planes[action.name].objects[3].x == x + 64
    doc.save(tmp_path / "new.wwd")
    assert lvl.open(tmp_path / "new.wwd").planes["Action"].objects[3].x == x + 64


def test_values_are_checked(doc):
    o = doc.planes["Action"].objects[0]
    with pytest.raises(OverflowError):
        o.x = 1 << 31
    with pytest.raises(TypeError):
        o.x = 1.5
    with pytest.raises(TypeError):
        o.logic = 3
    with pytest.raises(AttributeError):
        doc.planes[0].objects_offset = 4
    with pytest.raises(AttributeError):
        o.no_such_member = 1
    with pytest.raises(lvl.ArgumentError, match="code page"):
        o.logic = "\u4e2d"
    with pytest.raises(lvl.ArgumentError, match="do not fit"):
        doc.name = "x" * 64


def test_texts(doc):
    o = doc.planes["Action"].objects[0]
    o.logic = "Soldat \u20ac\x81"
    doc.name = "Grey Cliffs 2"
    again = lvl.open(doc.to_bytes(), lvl.Wwd)
    assert again.planes["Action"].objects[0].logic == "Soldat \u20ac\x81"
    assert again.name == "Grey Cliffs 2"


def test_enums_and_flags(doc):
    plane = doc.planes["Action"]
    assert lvl.WwdPlaneFlags.MAIN in plane.flags
    plane.flags |= lvl.WwdPlaneFlags.WRAP_X
    assert plane.flags & lvl.WwdPlaneFlags.WRAP_X and doc.get('planes["Action"].flags')[0] == "main|wrap_x"
    plane.flags = "main|no_draw"
    assert plane.flags == lvl.WwdPlaneFlags.MAIN | lvl.WwdPlaneFlags.NO_DRAW
    with pytest.raises(lvl.ArgumentError, match="expected one of"):
        plane.flags = "mian"
    plane.flags = 0x100
    assert plane.flags == 0x100


def test_lists(doc):
    objects = doc.planes["Action"].objects
    count = len(objects)
    assert [o.x for o in objects[2:5]] == [objects[i].x for i in (2, 3, 4)]
    assert objects[-1] == objects[count - 1] and objects[0] in objects and "Soldier" in objects
    assert [o.logic for o in objects.where(logic="Soldier")] == ["Soldier"] * len(objects.where(logic="Soldier"))
    assert objects.where(lambda o: o.x > 100, logic={"Soldier", "Officer"})
    with pytest.raises(AttributeError):
        objects.where(logik="Soldier")
    with pytest.raises(IndexError):
        objects[count]
    with pytest.raises(KeyError):
        objects["Nobody"]
    last = objects[-1]
    new = objects.append(logic="Soldier", x=5, y=6)
    assert len(objects) == count + 1 and new == objects[-1] and last == objects[count - 1]
    first = objects.insert(0, new)
    assert first.x == 5 and last == objects[count]
    with pytest.raises(OverflowError):
        objects.append(x=1 << 40)
    with pytest.raises(AttributeError):
        objects.append(ex=1)
    assert len(objects) == count + 2
    objects.remove(first)
    del objects[-1]
    with pytest.raises(lvl.DetachedError):
        first.x
    with pytest.raises(lvl.DetachedError):
        new.x = 3
    assert doc.to_bytes() == lvl.open(doc.filename).to_bytes()


def test_items_that_are_their_own_source(doc):
    objects = doc.planes["Action"].objects
    ids = [o.id for o in objects]
    objects[2:4] = [objects[3], objects[2]]
    assert [o.id for o in objects[:5]] == [1, 2, 4, 3, 5]
    fifth = objects[4]
    objects[:] = sorted(objects, key=lambda o: -o.id)
    assert [o.id for o in objects] == sorted(ids, reverse=True)
    assert fifth.id == 5 and fifth == objects[-5]  # it follows its content
    objects[:] = list(reversed(objects))
    assert [o.id for o in objects] == sorted(ids) and fifth.id == 5
    first, second = objects[0], objects[1]
    objects[:] = [o for o in objects if o.id % 2]
    assert [o.id for o in objects] == [i for i in sorted(ids) if i % 2] and first.id == 1 and fifth.id == 5
    with pytest.raises(lvl.DetachedError):
        second.id  # it was left out
    objects[:0] = [objects[1], {"id": 1000}]
    assert [o.id for o in objects[:4]] == [3, 1000, 1, 3] and fifth.id == 5
    objects[2] = objects[2]
    assert first.id == 1
    third = objects[3]
    objects[3] = objects[4]
    with pytest.raises(lvl.DetachedError):
        third.id  # another one took its place
    objects[4] = third  # what it held
    assert [o.id for o in objects[3:5]] == [5, 3]
    assert lvl.open(doc.to_bytes()).planes["Action"].objects[3].id == 5


def test_a_text_is_no_list(doc, samples):
    level = lvl.open(os.path.join(samples, "sketchy/hill-v4.level"))
    links = list(level.actors[0].links)
    for text in ("abc", "", b"abc", {"a": 1}):
        with pytest.raises(TypeError, match="links: expected a list, found"):
            level.actors[0].links = text
        with pytest.raises(TypeError):
            level.actors[0].links += text
        with pytest.raises(TypeError):
            doc.planes["Action"].objects = text
    assert list(level.actors[0].links) == links and len(doc.planes["Action"].objects) == 85
    with pytest.raises(TypeError, match="data: expected bytes, found int"):
        level.files[0].data = 7


def test_a_record_with_a_grid(samples):
    level = lvl.open(os.path.join(samples, "sketchy/hill-v4.level"))
    chunks = level.layers[0].chunks
    before = {c.key: [list(row) for row in (c.pixels.tolist())] for c in chunks}
    chunks[0:2] = [chunks[1], chunks[0]]
    again = lvl.open(level.to_bytes()).layers[0].chunks
    assert {c.key: c.pixels.tolist() for c in again} == before


def test_texts_in_lists(samples):
    gani = lvl.open(os.path.join(samples, "wwd/cliffs.wwd"), lvl.Wwd)
    sets = gani.planes["Action"].image_sets
    count = len(sets)
    sets.append("ONE")
    sets += ["TWO", "THREE"]
    assert list(sets)[count:] == ["ONE", "TWO", "THREE"] and "TWO" in sets and sets.index("TWO") == count + 1
    sets.remove("TWO")
    sets[count:] = []
    assert len(sets) == count


def test_an_edit_of_another_kind(doc):
    o = doc.planes["Action"].objects[3]
    doc.set('planes["Action"].objects[3].x=77')
    assert o.x == 77
    kept, gone = doc.planes[2].objects, doc.planes["Action"].objects[0]
    doc.unset('planes["Action"].objects[0]')
    with pytest.raises(lvl.DetachedError):
        gone.x
    with pytest.raises(lvl.DetachedError):
        o.x
    assert len(kept) == len(doc.planes[2].objects)


def test_a_record_of_a_removed_record(doc):
    o = doc.planes["Action"].objects[3]
    del doc.planes[[p.name for p in doc.planes].index("Action")]
    with pytest.raises(lvl.DetachedError):
        o.x = 5


def test_memory_outlives_the_variable(samples):
    o = lvl.open(os.path.join(samples, "wwd/cliffs.wwd")).planes["Action"].objects[3]
    gc.collect()
    assert o.x == 232
    doc = lvl.open(os.path.join(samples, "wwd/cliffs.wwd"))
    o = doc.planes["Action"].objects[3]
    doc.close()
    with pytest.raises(ValueError, match="closed"):
        o.x


def test_a_grid(doc):
    tiles = doc.planes["Action"].tiles
    height, width = tiles.shape
    before = tiles[2, 3]
    tiles[2, 3] = 7
    assert doc.planes["Action"].tiles[2, 3] == 7
    assert doc.get('planes["Action"].tiles[3,2]') == [7]
    again = lvl.open(doc.to_bytes())
    assert again.planes["Action"].tiles[2, 3] == 7 and again.planes["Action"].tiles.shape == (height, width)
    tiles[2, 3] = before
    assert doc.to_bytes() == lvl.open(doc.filename).to_bytes()


def test_edits_that_would_leave_an_array_are_refused(doc):
    tiles = doc.planes["Action"].tiles
    with pytest.raises(BufferError):
        doc.set("start_x=4")
    with pytest.raises(BufferError):
        doc.resize(4, 4)
    with pytest.raises(BufferError):
        del doc.planes[0]
    doc.planes["Action"].objects.append(x=3)  # of other memory
    part = tiles[1:2]
    del tiles
    with pytest.raises(BufferError):
        doc.set("start_x=4")
    del part
    gc.collect()
    doc.set("start_x=4")
    assert doc.start_x == 4


@needs_numpy
def test_an_array_of_records(doc):
    objects = doc.planes["Action"].objects
    array = objects.array
    assert array["x"].tolist() == [o.x for o in objects]
    assert array["move_rect"]["left"].tolist() == [o.move_rect.left for o in objects]
    array["x"] += 64
    assert objects[3].x == 232 + 64
    with pytest.raises(BufferError):
        objects.append()
    del array, doc
    gc.collect()
    assert objects[3].x == 232 + 64


@needs_numpy
def test_an_array_keeps_the_document(samples):
    tiles = lvl.open(os.path.join(samples, "wwd/cliffs.wwd")).planes["Action"].tiles
    gc.collect()
    total = int(tiles.sum())
    assert total > 0 and total == int(lvl.open(os.path.join(samples, "wwd/cliffs.wwd")).planes["Action"].tiles.sum())


@needs_numpy
def test_a_whole_grid(doc):
    tiles = doc.planes["Action"].tiles
    doc.planes["Action"].tiles = tiles[::-1].copy()
    with pytest.raises(lvl.ArgumentError, match="shape"):
        doc.planes["Action"].tiles = tiles[1:]
    with pytest.raises(OverflowError):
        doc.planes["Action"].tiles = tiles.astype("int64") - (1 << 40)


def test_tables(doc):
    rows = doc.table("planes.objects")
    assert len(rows) == sum(len(p.objects) for p in doc.planes)
    assert rows[-1]["planes"] == max(row["planes"] for row in rows) and {"x", "logic", "move_rect.left"} <= set(rows[0])
    with pytest.raises(AttributeError):
        doc.table("plains")
    with pytest.raises(lvl.ArgumentError):
        doc.table("planes.name")
    with pytest.raises(lvl.ArgumentError):
        doc.table("planes", frame="excel")


@pytest.mark.skipif(bool(os.environ.get("LVL_TEST_NO_NUMPY")), reason="pandas needs NumPy")
def test_a_table_is_read_by_columns(doc, monkeypatch):
    import ctypes

    objects = [o for plane in doc.planes for o in plane.objects]
    expected = [(o.logic, o.x, o.draw_flags, o.hit_rect.left) for o in objects]
    texts = sum(bool(text) for o in objects for text in (o.name, o.logic, o.image_set, o.animation))
    calls = []
    for kind in (lvl._records.Int, lvl._records.Text, lvl._records.Real):
        monkeypatch.setattr(kind, "__get__", lambda *_: calls.append("member"))
    read = ctypes.string_at
    monkeypatch.setattr(ctypes, "string_at", lambda *a: calls.append("text") or read(*a))
    rows = doc.table("planes.objects")
    assert calls.count("member") == 0 and calls.count("text") == texts
    assert [(r["logic"], r["x"], r["draw_flags"], r["hit_rect.left"]) for r in rows] == expected
    assert all(type(r["draw_flags"]) is lvl.WwdObjectDrawFlags for r in rows)
    assert lvl.new("wwd").table("planes.objects") == []


def test_tables_of_pandas(doc):
    pytest.importorskip("pandas")
    frame = doc.table("planes.objects", frame="pandas")
    objects = doc.planes["Action"].objects
    main = frame[frame["planes"] == [p.name for p in doc.planes].index("Action")]
    assert list(main["x"]) == [o.x for o in objects] and list(main["logic"]) == [o.logic for o in objects]
    assert str(frame["x"].dtype) == "int64" and frame.groupby("logic").size()["Soldier"] == len(objects.where(logic="Soldier"))


def test_names_that_are_not_there(samples):
    level = lvl.open(os.path.join(samples, "wwd/cliffs.wwd"))
    for run, said in [
        (lambda: level.plane, "did you mean planes"),
        (lambda: level.main_plan, "did you mean main_plane?"),
        (lambda: level.objects, r"did you mean planes\[0\].objects?"),
        (lambda: level.planes.objects, r"its items have objects, such as planes\[0\].objects"),
        (lambda: level.planes[0].tilse, "did you mean tiles"),
        (lambda: level.qqqq, "dir"),
        (lambda: level.planes[4].objects.where(logik="Rat"), "did you mean logic"),
        (lambda: level.planes[4].objects[0].update(lgoic="Rat"), "did you mean logic"),
        (lambda: level.table("plane.objects"), "did you mean planes"),
    ]:
        with pytest.raises(AttributeError, match=said):
            run()
    with pytest.raises(KeyError, match="did you mean 'Action'"):
        level.planes["Acton"]
    assert not hasattr(level, "_no_such")


def test_main_plane(samples):
    level = lvl.open(os.path.join(samples, "wwd/cliffs.wwd"))
    assert level.main_plane.name == "Action"
    level.main_plane.flags &= ~lvl.WwdPlaneFlags.MAIN
    assert level.main_plane is None


def warnings_of(call):
    """What the warnings of a call say, a line each. (pytest.warns of pytest 8 passes on those that it does not expect.)"""
    with warnings.catch_warnings(record=True) as found:
        warnings.simplefilter("always")
        call()
    return "\n".join(str(one.message) for one in found if one.category is lvl.FindingWarning)


def test_what_is_not_written_is_said(samples):
    level = lvl.open(os.path.join(samples, "sketchy/hill-v4.level"))
    level.locked = 1
    again = lvl.open(level.to_bytes())
    again.locked = 5  # the same bytes, since the file only has true
    with pytest.raises(lvl.LossError, match="locked"):
        again.to_bytes()
    doodad = lvl.open(os.path.join(samples, "sketchy/lantern.doodad"))
    doodad.scroll.x = 5
    assert re.search("scroll .* only while kind is level", warnings_of(doodad.to_bytes))
    world = lvl.open(os.path.join(samples, "graal/lakeside/lakeside.gmap"))
    assert "load_full_map 1 is dropped" in warnings_of(lambda: world.set("version=bigmap"))
    world = lvl.open(os.path.join(samples, "graal/lakeside/lakeside.gmap"))
    world.version = 0
    assert "load_full_map 1 is not written" in warnings_of(world.to_bytes)


def content(records):
    return [lvl._records._copy(one) for one in records]


def test_swaps(doc, samples):
    objects = doc.planes["Action"].objects
    before = content(objects)
    first, second = objects[0], objects[1]
    objects[0], objects[1] = objects[1], objects[0]
    assert content(objects) == [before[1], before[0], *before[2:]]
    with pytest.raises(lvl.DetachedError):
        first.x
    with pytest.raises(lvl.DetachedError):
        second.x
    objects[0:1], objects[1:2] = objects[1:2], objects[0:1]
    assert content(objects) == before
    objects[0], objects[1], objects[2] = objects[2], objects[0], objects[1]
    assert content(objects) == [before[2], before[0], before[1], *before[3:]]
    objects[2], objects[1], objects[3], objects[0] = objects[0], objects[2], objects[3], objects[1]
    assert content(objects) == before
    random.Random(4).shuffle(objects)
    assert content(objects) != before
    assert sorted(map(repr, content(objects))) == sorted(map(repr, before))
    # another list, another document
    sky, other = doc.planes[0].objects, lvl.open(os.path.join(samples, "wwd/cliffs.wwd"), lvl.Wwd).planes["Action"].objects
    sky.append(logic="Sky")
    kept, theirs = content(objects), content(other)
    objects[0], sky[0] = sky[0], objects[0]
    assert objects[0].logic == "Sky" and content(sky) == [kept[0]]
    objects[1], other[2] = other[2], objects[1]
    assert content(objects)[1:3] == [theirs[2], kept[2]] and content(other)[:3] == [theirs[0], theirs[1], kept[1]]
    # a record that is a member
    one, two = objects[3], objects[4]
    one.hit_rect.update(left=1, top=2)
    two.hit_rect.update(left=5, top=6)
    one.hit_rect, two.hit_rect = two.hit_rect, one.hit_rect
    assert (one.hit_rect.left, one.hit_rect.top, two.hit_rect.left, two.hit_rect.top) == (5, 6, 1, 2)
    third = objects[5]
    third.hit_rect.update(left=9, top=10)
    one.hit_rect, two.hit_rect, third.hit_rect = third.hit_rect, one.hit_rect, two.hit_rect
    assert [o.hit_rect.left for o in (one, two, third)] == [9, 5, 1]
    # lists, of records and of texts
    lists = [doc.planes[i].objects for i in range(3)]
    lists[0].append(logic="Own")
    held = [content(one) for one in lists]
    doc.planes[0].objects, doc.planes[1].objects = doc.planes[1].objects, doc.planes[0].objects
    assert [content(doc.planes[i].objects) for i in range(3)] == [held[1], held[0], held[2]]
    doc.planes[0].objects, doc.planes[1].objects, doc.planes[2].objects = (
        doc.planes[2].objects, doc.planes[0].objects, doc.planes[1].objects)
    assert [content(doc.planes[i].objects) for i in range(3)] == [held[2], held[1], held[0]]
    drawing = lvl.open(os.path.join(samples, "sketchy/hill-v4.level"))
    drawing.actors[0].links, drawing.actors[1].links = ["a"], ["b", "c"]
    drawing.actors[0].links, drawing.actors[1].links = drawing.actors[1].links, drawing.actors[0].links
    assert [list(one.links) for one in drawing.actors[:2]] == [["b", "c"], ["a"]]
    drawing.actors[1].links = drawing.actors[0].links
    drawing.actors[1].links += ["d"]
    assert [list(one.links) for one in drawing.actors[:2]] == [["b", "c"], ["b", "c", "d"]]
    # texts
    level = lvl.open(os.path.join(samples, "sketchy/hill-v4.level"))
    actor = next(a for a in level.actors if len(a.links) > 1) if any(len(a.links) > 1 for a in level.actors) else None
    if actor is not None:
        links = list(actor.links)
        actor.links[0], actor.links[1] = actor.links[1], actor.links[0]
        assert list(actor.links) == [links[1], links[0], *links[2:]]


def test_swaps_of_grids(doc):
    """A grid's size cannot be assigned, nor a grid that shows another one, which is said before anything is changed."""
    before = doc.to_bytes()
    if lvl._records.numpy() is not None:
        a, b = [p for p in doc.planes if tuple(p.tiles.shape) == (14, 20)]
        with pytest.raises(lvl.ArgumentError, match="copy"):
            a.tiles, b.tiles = b.tiles, a.tiles
        assert doc.to_bytes() == before
        one, two = a.tiles.copy(), b.tiles.copy()
        a.tiles, b.tiles = two, one
        a.tiles, b.tiles = one, two
    with pytest.raises(lvl.ArgumentError, match="resize"):
        doc.planes[0], doc.planes["Action"] = doc.planes["Action"], doc.planes[0]
    assert doc.to_bytes() == before
    a, b = [i for i, p in enumerate(doc.planes) if tuple(p.tiles.shape) == (14, 20)]
    names = doc.planes[a].name, doc.planes[b].name
    doc.planes[a], doc.planes[b] = doc.planes[b], doc.planes[a]
    assert (doc.planes[b].name, doc.planes[a].name) == names


def test_copies(doc, samples):
    level = lvl.open(os.path.join(samples, "wwd/cliffs.wwd"), lvl.Wwd)
    level.planes["Action"].objects[0].x += 7
    for made in (copy.copy(level), copy.deepcopy(level), copy.deepcopy([level])[0]):
        assert type(made) is lvl.Wwd and made.to_bytes() == level.to_bytes() and made.filename == level.filename
        made.planes["Action"].objects[0].x += 1
        assert made.planes["Action"].objects[0].x == level.planes["Action"].objects[0].x + 1
        with pytest.raises(lvl.ArgumentError, match="path"):
            made.save()
    polish = lvl.open(os.path.join(samples, "wwd/cliffs.wwd"), codepage="windows-1250")
    assert copy.copy(polish).codepage == "windows-1250"
    item = level.planes["Action"].objects[0]
    for function in (copy.copy, copy.deepcopy):
        with pytest.raises(TypeError, match="to_dict"):
            function(item)
    with pytest.raises(TypeError, match="to_bytes"):
        pickle.dumps(level)
    objects = level.planes["Action"].objects
    assert copy.copy(objects) == list(objects)
    frozen = copy.deepcopy(objects)
    item.x += 100
    assert frozen[0]["x"] == item.x - 100


def test_what_an_import_costs():
    """lvl is imported by short scripts: nothing is imported that a library of known place does not need."""
    code = "import sys; import lvl; print(*sys.modules)"
    loaded = subprocess.run([sys.executable, "-S", "-c", code], capture_output=True, text=True, check=True).stdout.split()
    assert not {"ctypes.util", "subprocess", "shutil", "html", "base64", "difflib", "importlib.util", "numpy"} & set(loaded)
