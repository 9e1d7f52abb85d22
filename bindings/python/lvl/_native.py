"""The flat interface of the C library (include/lvl/abi.h) through ctypes: calls, results, errors."""
from __future__ import annotations

import ctypes
import json
import os
import sys
import threading
from typing import Any, Dict, Iterator, List, Mapping, NamedTuple, Optional, Sequence, Set, Tuple, Type, Union

ABI = 1

c_text = ctypes.c_char_p
c_pointer = ctypes.c_void_p


class Result(ctypes.Structure):
    _fields_ = [
        ("status", ctypes.c_int32),
        ("width", ctypes.c_uint32),
        ("height", ctypes.c_uint32),
        ("reserved", ctypes.c_uint32),
        ("count", ctypes.c_uint64),
        ("doc", c_pointer),
        ("data", c_pointer),
        ("len", ctypes.c_size_t),
        ("findings", c_pointer),
        ("findings_len", ctypes.c_size_t),
        ("message", c_text),
    ]


class Finding(NamedTuple):
    """One message about a document: what is damaged, lost, repaired or in conflict."""

    id: str
    severity: str
    text: str
    path: Optional[str]
    offset: Optional[float]
    length: Optional[float]
    outer: Optional[int]
    member: Optional[str] = None

    def __str__(self) -> str:
        place = f" ({self.path})" if self.path else ""
        return f"{self.severity}: {self.id}: {self.text}{place}"


class LvlError(Exception):
    """What a call of the library returned instead of a result. `findings` has the reasons."""

    def __init__(self, message: str = "", findings: Sequence[Finding] = ()) -> None:
        super().__init__(message)
        self.findings: List[Finding] = list(findings)


class LimitError(LvlError):
    """A limit would be exceeded; the keyword `limits` raises it."""


class FormatError(LvlError):
    """The bytes cannot be read as that format."""


class ForeignError(FormatError):
    """The bytes are of no format that lvl supports."""


class FileError(LvlError, OSError):
    """The system refused to read or write a file."""


class ArgumentError(LvlError, ValueError):
    """A wrong path, key, value or option."""


class LossError(LvlError):
    """The target cannot represent something, and that was not allowed. `findings` names each item."""


class MissingError(LvlError, LookupError):
    """There is no such path, member or layer."""


class MissingFileError(MissingError, FileNotFoundError):
    """There is no such file."""


class UnsupportedError(LvlError):
    """This format has no such operation."""


class DetachedError(LvlError, ReferenceError):
    """The record was removed from its document, or its list was replaced: get it again."""


_errors: Dict[int, Type[LvlError]] = {
    2: LimitError, 3: FormatError, 4: ForeignError, 5: FileError, 6: ArgumentError, 7: LossError, 8: MissingError,
    9: UnsupportedError,
}


def _candidates() -> Iterator[str]:
    given = os.environ.get("LVL_LIBRARY")
    if given:
        yield given
        return
    here = os.path.dirname(os.path.abspath(__file__))
    if sys.platform == "win32":
        names = ["lvl.dll"]
    elif sys.platform == "darwin":
        names = ["liblvl.dylib", "liblvl.0.dylib"]
    else:
        names = ["liblvl.so", "liblvl.so.0"]
    found = [os.path.join(here, name) for name in names if os.path.exists(os.path.join(here, name))]
    if found or sys.platform == "win32":
        yield from found or names
        return
    yield names[-1]
    from ctypes.util import find_library  # which takes longer to import than all the rest

    system = find_library("lvl")
    if system:
        yield system


def _load() -> ctypes.CDLL:
    tried = []
    for path in _candidates():
        try:
            library = ctypes.CDLL(path)
        except OSError as error:
            tried.append(str(error))
            continue
        try:
            version = library.lvl_abi_version()
        except AttributeError:
            tried.append(f"{path}: too old: it has no lvl_abi_version")
            continue
        if version != ABI:
            raise ImportError(f"{path} has version {version} of its interface, lvl for Python needs {ABI}")
        return library
    raise ImportError("lvl: the C library was not found (set LVL_LIBRARY to its path): " + "; ".join(tried))


library = _load()

_RESULT = ctypes.POINTER(Result)
_calls: Dict[str, Tuple[Any, ...]] = {
    "formats": (),
    "layout": (c_text,),
    "findings": (c_text,),
    "open": (c_text, ctypes.c_size_t, c_text, c_text),
    "load": (c_text, c_text),
    "list": (c_text,),
    "scan": (c_text, ctypes.c_size_t, c_text, c_text),
    "undump": (c_text, ctypes.c_size_t, c_text, c_text),
    "new": (c_text, c_pointer, c_text),
    "write": (c_pointer, c_text),
    "save": (c_pointer, c_text, c_text),
    "info": (c_pointer, c_text),
    "dump": (c_pointer, c_text),
    "get": (c_pointer, c_text, c_text),
    "explain": (c_pointer, c_text),
    "check": (c_pointer, c_text),
    "diff": (c_pointer, c_pointer, c_text),
    "follow": (c_pointer, c_text, c_pointer),
    "render": (c_pointer, c_text),
    "scene": (c_pointer, c_text),
    "members": (c_pointer,),
    "member": (c_pointer, c_text),
    "set": (c_pointer, c_text),
    "unset": (c_pointer, c_text),
    "copy": (c_pointer, c_text, c_pointer, c_text),
    "resize": (c_pointer, c_text),
    "move": (c_pointer, c_text, c_text),
    "put_member": (c_pointer, c_text, c_text, ctypes.c_size_t),
    "convert": (c_pointer, c_text, c_text),
    "repair": (c_pointer, c_text),
    "merge": (c_pointer, c_pointer, c_pointer, c_text),
    "content": (c_pointer, c_pointer, c_pointer),
}


def _declare(name: str, result: Any, *arguments: Any) -> Any:
    function = getattr(library, "lvl_" + name)
    function.restype = result
    function.argtypes = arguments
    return function


_functions = {name: _declare("abi_" + name, _RESULT, *arguments) for name, arguments in _calls.items()}
_free = _declare("abi_result_free", None, _RESULT)
_close = _declare("abi_close", None, c_pointer)
version: str = _declare("version", c_text)().decode()
root = _declare("abi_root", c_pointer, c_pointer)
format_of = _declare("abi_format", c_text, c_pointer)
art_shared = _declare("abi_art_shared", c_pointer, c_text)
art_free = _declare("abi_art_free", None, c_pointer)
use_art = _declare("abi_use_art", None, c_pointer, c_pointer)
codepage_of = _declare("abi_codepage", ctypes.c_int32, c_pointer)
field = _declare("abi_field", c_pointer, c_text, c_text, c_text)
put = _declare("abi_put", ctypes.c_int32, c_pointer, c_pointer, c_pointer, c_text, ctypes.c_size_t)
put_item = _declare("abi_put_item", ctypes.c_int32, c_pointer, c_pointer, c_pointer, ctypes.c_uint32, c_text,
                    ctypes.c_size_t)
insert = _declare("abi_insert", ctypes.c_int32, c_pointer, c_pointer, c_pointer, ctypes.c_uint32, ctypes.c_uint32)
remove = _declare("abi_remove", ctypes.c_int32, c_pointer, c_pointer, c_pointer, ctypes.c_uint32, ctypes.c_uint32)
cells = _declare("abi_cells", c_pointer, c_pointer, c_pointer, c_pointer)
status_text = _declare("status_text", c_text, ctypes.c_int)

Option = Union[None, bool, int, str, "os.PathLike[str]", Sequence[Union[int, str, "os.PathLike[str]"]]]


def _text(value: Any) -> bytes:
    if isinstance(value, bool):
        return b"1" if value else b"0"
    text = os.fsencode(os.fspath(value)) if isinstance(value, (str, os.PathLike)) else str(value).encode()
    if b"\0" in text:
        raise ValueError("a text with a NUL character")
    return text


def options(values: Mapping[str, Option]) -> bytes:
    """A list of "name=value" texts; a list of texts repeats the name, a tuple of numbers is one value."""
    out = []
    for name, value in values.items():
        if value is None or value is False:
            continue
        if isinstance(value, tuple):
            value = ",".join(str(int(n)) for n in value)
        many = value if isinstance(value, list) else [value]
        out += [name.encode() + b"=" + _text(one) + b"\0" for one in many]
    return b"".join(out) + b"\0"


def texts(values: Sequence[str]) -> bytes:
    """A list of texts, ended by an empty one."""
    for value in values:
        if not value or "\0" in value:
            raise ValueError("expected texts that are not empty and have no NUL character")
    return b"".join(value.encode() + b"\0" for value in values) + b"\0"


def parse_findings(data: bytes) -> List[Finding]:
    return [
        Finding(f["id"], f["severity"], f["text"], f.get("path"), f.get("offset"), f.get("length"), f.get("outer"),
                f.get("member"))
        for f in json.loads(data)
    ] if data else []


class Answer:
    """A copy of a result."""

    __slots__ = ("data", "doc", "count", "width", "height", "findings")

    def __init__(self, data: bytes, doc: Optional[int], count: int, width: int, height: int,
                 findings: List[Finding]) -> None:
        self.data = data
        self.doc = doc
        self.count = count
        self.width = width
        self.height = height
        self.findings = findings

    @property
    def text(self) -> str:
        return self.data.decode("utf-8", "replace")


def raise_status(status: int, message: str, findings: Sequence[Finding] = ()) -> None:
    if status == 1:
        raise MemoryError(message or "out of memory")
    raise _errors.get(status, LvlError)(message or status_text(status).decode(), findings)


def call(name: str, *arguments: Any, partial: bool = False) -> Answer:
    """Calls lvl_abi_NAME and copies its result. `partial`: a damaged member is no error."""
    result = _functions[name](*arguments)
    if not result:
        raise MemoryError("out of memory")
    try:
        r = result.contents
        findings = parse_findings(ctypes.string_at(r.findings, r.findings_len) if r.findings_len else b"")
        if r.status and not (partial and r.status == 7):
            raise_status(r.status, r.message.decode("utf-8", "replace"), findings)
        data = ctypes.string_at(r.data, r.len) if r.len else b""
        doc, r.doc = r.doc, None
        return Answer(data, doc, r.count, r.width, r.height, findings)
    finally:
        _free(result)


def scan(data: bytes, size: int, name: bytes, options: Optional[bytes]) -> bytes:
    """lvl_abi_scan, for many small files: what is not needed of the result is not copied."""
    result = _functions["scan"](data, size, name, options)
    if not result:
        raise MemoryError("out of memory")
    try:
        r = result.contents
        if r.status:
            findings = parse_findings(ctypes.string_at(r.findings, r.findings_len) if r.findings_len else b"")
            raise_status(r.status, r.message.decode("utf-8", "replace"), findings)
        return ctypes.string_at(r.data, r.len)
    finally:
        _free(result)


class _Arts(threading.local):
    """Where pictures were found, for the documents of a thread: a folder is listed once, not once for each of its levels."""

    KEPT = 4

    def __init__(self) -> None:
        self.items: Dict[Any, int] = {}

    def find(self, roots: Sequence[str], settings: Mapping[str, Option]) -> int:
        key = (tuple(roots), *sorted((k, str(v)) for k, v in settings.items() if v is not None))
        art = self.items.pop(key, 0)
        if not art:
            art = art_shared(b"".join(_text(root) + b"\0" for root in roots) + b"\0")
            if not art:
                raise MemoryError("out of memory")
            while len(self.items) >= self.KEPT:
                art_free(self.items.pop(next(iter(self.items))))
        self.items[key] = art
        return art

    def __del__(self) -> None:
        for art in self.items.values():
            art_free(art)


_arts = _Arts()


def call_with_art(handle: "Handle", name: str, roots: Sequence[str], *arguments: Any) -> "Answer":
    """A call that looks up pictures. The handle is locked."""
    if any(not root for root in roots):  # which would end the list
        raise ArgumentError("art: expected paths, found an empty text")
    use_art(handle.pointer, _arts.find(roots, handle.settings))
    try:
        return call(name, handle.pointer, *arguments)
    finally:
        use_art(handle.pointer, None)  # an art belongs to its thread


class Handle:
    """A document of the library. It is freed when the last object that refers to it is gone: no record, list or array
    can outlive the memory it shows."""

    __slots__ = ("pointer", "lock", "edits", "views", "grids", "lists", "codepage", "format", "closed", "name", "file", "settings",
                 "__weakref__")

    def __init__(self, pointer: int, name: str) -> None:
        self.pointer = pointer
        self.lock = threading.RLock()
        self.edits: List[Any] = []  # what moved records: see Record._follow
        self.views: Dict[int, Any] = {}  # of memory that arrays show
        self.grids: Set[int] = set()  # addresses of grids that may be written
        self.lists: List[Any] = []  # what lists held that another list was assigned to: see List_.__set__
        self.codepage: int = codepage_of(pointer)
        self.format: str = format_of(pointer).decode()
        self.closed = False
        self.name = name
        self.settings: Mapping[str, Option] = {}  # limits and rules with which it was opened, for copies
        self.file: Optional[str] = None  # that was opened, and that save() replaces

    def __del__(self) -> None:
        pointer = getattr(self, "pointer", None)
        if pointer:
            self.pointer = 0
            _close(pointer)
