"""Level files of old 2D games (Claw, Gruntz, Get Medieval; Zelda Online, Graal; Sketchy Maze).

    doc = lvl.open("cliffs.wwd")
    doc.planes["Action"].objects[3].x += 64
    doc.save("new.wwd")

See docs/python.md for recipes.
"""
from ._document import (
    Check as Check,
    Diff as Diff,
    Document as Document,
    FindingWarning as FindingWarning,
    Made as Made,
    Picture as Picture,
    Row as Row,
    diff as diff,
    finding_kinds as finding_kinds,
    formats as formats,
    list_archive as list_archive,
    merge as merge,
    new as new,
    open as open,
    rows_to_arrow as rows_to_arrow,
    scan_bytes as scan_bytes,
    undump as undump,
)
from ._native import (
    ArgumentError as ArgumentError,
    DetachedError as DetachedError,
    FileError as FileError,
    Finding as Finding,
    ForeignError as ForeignError,
    FormatError as FormatError,
    LimitError as LimitError,
    LossError as LossError,
    LvlError as LvlError,
    MissingError as MissingError,
    MissingFileError as MissingFileError,
    UnsupportedError as UnsupportedError,
)
from ._native import version as __version__
from ._records import Record as Record
from .records import *  # noqa: F401,F403
