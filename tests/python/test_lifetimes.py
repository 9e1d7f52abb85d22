"""Random sequences of operations: no memory that Python can reach is ever freed or moved under it. Under the address sanitizer
(scripts/check-python-memory) a wild pointer ends the test; here a value that changed unasked does."""
import gc
import os
import random

import pytest
from conftest import SAMPLES

import lvl
from lvl._records import Items, Record, numpy

np = numpy()

ROUNDS = int(os.environ.get("LVL_TEST_ROUNDS", "60"))
FILES = ["wwd/cliffs.wwd", "graal/lakeside/lake_meadow.nw", "graal/versions/gr-v1.05.graal", "sketchy/hill-v4.level",
         "graal/ganis/hero_walk.gani", "sketchy/hill-v1.level"]
EXPECTED = (lvl.LvlError, BufferError, OverflowError, ValueError, TypeError, AttributeError, LookupError)


class Play:
    def __init__(self, seed):
        self.random = random.Random(seed)
        self.docs, self.records, self.lists, self.arrays = [], [], [], []

    def open(self):
        self.docs.append(lvl.open(os.path.join(SAMPLES, self.random.choice(FILES))))
        self.records.append(self.docs[-1])

    def pick(self, things):
        return self.random.choice(things) if things else None

    def look(self):
        record = self.pick(self.records)
        if record is None:
            return
        field = self.random.choice(list(record._fields_.values()))
        value = field.__get__(record, type(record))
        if isinstance(value, Record):
            self.records.append(value)
        elif isinstance(value, Items):
            self.lists.append(value)
            if len(value) and isinstance(value[0], Record):
                self.records.append(value[self.random.randrange(len(value))])
        elif field._kind == "cells":
            self.arrays.append(value)

    def assign(self):
        record = self.pick(self.records)
        if record is None:
            return
        field = self.random.choice(list(record._fields_.values()))
        value = {"int": self.random.choice([0, 1, 5, -1, 255, 1 << 31]), "real": 0.5, "text": "abc" * self.random.randrange(9),
                 "bytes": b"xyz"}.get(field._kind, None)
        if value is not None:
            setattr(record, field._attribute, value)

    def grow(self):
        items = self.pick(self.lists)
        if items is None or len(items) > 3000:
            return
        index = self.random.randrange(len(items) + 1)
        if type(items).__name__ == "RecordItems":
            items.insert(index)
        else:
            items.insert(index, "text" if type(items).__name__ == "TextItems" else 3)

    def shrink(self):
        items = self.pick(self.lists)
        if items is not None and len(items):
            if self.random.random() < 0.1:
                items.clear()
            else:
                del items[self.random.randrange(len(items))]

    def touch(self):
        array = self.pick(self.arrays)
        if array is None or 0 in array.shape:
            return
        place = tuple(self.random.randrange(n) for n in array.shape)
        array[place] = self.random.randrange(200)
        assert array[place] < 200

    def structured(self):
        items = self.pick(self.lists)
        if items is not None and np is not None and hasattr(items, "array"):
            array = items.array
            if len(array) and array.dtype.names is None:
                array[self.random.randrange(len(array))] = 1
            elif len(array):
                array[array.dtype.names[0]]
            self.arrays.append(array.reshape(-1)) if array.dtype.names is None else None

    def whole(self):
        doc = self.pick(self.docs)
        if doc is None:
            return
        which = self.random.randrange(9)
        if which == 0:
            doc.to_bytes(allow_damaged=True)
        elif which == 1:
            doc.check()
        elif which == 2:
            doc.set(self.random.choice(["planes[0].z=5", "npcs[+]={}", "signs[+]={}", "actors[+]={}", "layers[0].name=a",
                                        "tiles[0,0]=4", "layers[0].chunks[0,0 9,9]=0", "swatches[0].name=q"]))
        elif which == 3:
            doc.unset(self.random.choice(["planes[0].objects", "npcs", "planes[-1]", "actors[0]", "signs[0]", "frames[0]"]))
        elif which == 4:
            doc.resize(self.random.randrange(1, 40), self.random.randrange(1, 40))
        elif which == 5:
            other = self.pick(self.docs)
            self.docs.append(lvl.merge(doc, doc, other).document)
        elif which == 6:
            lvl.diff(doc, self.pick(self.docs))
        elif which == 7:
            doc.copy_from(self.pick(self.docs), self.random.choice(["planes[0].objects[0]", "npcs[0]", "signs", "actors[0]"]))
        else:
            doc.render(size=40, schematic=True)

    def drop(self):
        for things in (self.docs, self.records, self.lists, self.arrays):
            if things and self.random.random() < 0.5:
                del things[self.random.randrange(len(things))]
        if self.random.random() < 0.1:
            del self.arrays[:]
            gc.collect()
        if self.random.random() < 0.03 and self.docs:
            self.pick(self.docs).close()

    def run(self, steps):
        moves = [self.open] + [self.look] * 8 + [self.assign] * 3 + [self.grow] * 2 + [self.shrink] * 2 + \
            [self.touch] * 2 + [self.structured, self.whole, self.drop, self.drop]
        for _ in range(steps):
            if len(self.docs) > 4:
                del self.docs[0]
            try:
                self.random.choice(moves)()
            except EXPECTED:
                pass


# random values also go to fields that their record does not have, which a save warns of
@pytest.mark.filterwarnings("ignore::lvl.FindingWarning")
@pytest.mark.parametrize("part", range(4))
def test_random_operations(part):
    for seed in range(ROUNDS // 4):
        Play(seed * 4 + part).run(120)
