"""Level files of old 2D games (Claw, Gruntz, Get Medieval; Zelda Online, Graal; Sketchy Maze).

    doc = lvl.open("cliffs.wwd")
    doc.planes["Action"].objects[3].x += 64
    doc.save("new.wwd")

See docs/python.md for recipes.
"""
from ._document import (Check, Diff, Document, FindingWarning, Made, Picture, diff, finding_kinds, formats, merge, new, open,
                        scan_bytes, undump)
from ._native import (ArgumentError, DetachedError, FileError, Finding, ForeignError, FormatError, LimitError, LossError,
                      LvlError, MissingError, MissingFileError, UnsupportedError)
from ._native import version as __version__
from ._records import Record
from .records import *  # noqa: F401,F403
