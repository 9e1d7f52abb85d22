"""Records, lists and grids of a document: Python objects over the library's own structs."""
from __future__ import annotations

import codecs
import ctypes
import functools
import json
import operator
import struct
import weakref
from typing import TYPE_CHECKING, Any, Callable, Dict, Iterator, List, Optional, Sequence, Tuple, Type, Union

from . import _native
from ._native import ArgumentError, DetachedError, Handle, UnsupportedError


@functools.lru_cache(maxsize=None)
def numpy() -> Any:
    """NumPy, which is imported when the first array is made; None without it."""
    try:
        import numpy as np
    except ImportError:
        return None
    return np


POINTER_SIZE = ctypes.sizeof(ctypes.c_void_p)
_INTS: Dict[Tuple[int, bool], Any] = {
    (1, False): ctypes.c_uint8, (1, True): ctypes.c_int8, (2, False): ctypes.c_uint16, (2, True): ctypes.c_int16,
    (4, False): ctypes.c_uint32, (4, True): ctypes.c_int32, (8, False): ctypes.c_uint64, (8, True): ctypes.c_int64,
}
_size = ctypes.c_size_t
_u32 = ctypes.c_uint32
_KINDS = ("int", "real", "text", "bytes", "record", "list", "cells")
SIGNED, SLOT, FIXED, LATE = 1, 2, 16, 128


# ---- texts -----------------------------------------------------------------------------------------------


@functools.lru_cache(maxsize=None)
def _page(number: int) -> Tuple[str, Dict[int, int]]:
    """The characters of a code page: holes are the C1 controls, so that each byte has one."""
    name = ("cp1252", "cp1250", "cp1251")[number]
    table = "".join(bytes([i]).decode(name, "ignore") or chr(i) for i in range(256))
    return table, codecs.charmap_build(table)  # type: ignore[return-value]


def decode(data: bytes, page: int) -> str:
    if page == 3:
        return data.decode("utf-8", "surrogateescape")
    return codecs.charmap_decode(data, "strict", _page(page)[0])[0]


def encode(text: str, page: int) -> bytes:
    if page == 3:
        return text.encode("utf-8", "surrogateescape")
    try:
        return codecs.charmap_encode(text, "strict", _page(page)[1])[0]
    except UnicodeEncodeError as error:
        name = ("windows-1252", "windows-1250", "windows-1251")[page]
        raise ArgumentError(f"the document's code page {name} lacks the character {text[error.start]!r}") from None


# ---- memory ----------------------------------------------------------------------------------------------


@functools.lru_cache(maxsize=256)
def _buffer_type(size: int) -> Any:
    return type("Memory", (ctypes.c_ubyte * size,), {})


def _view(handle: Handle, address: int, size: int) -> Any:
    """The memory as an object with the buffer protocol, which keeps the document alive."""
    memory = _buffer_type(size).from_address(address)
    key = id(memory)
    memory.handle = handle
    views = handle.views

    def gone(_: Any) -> None:
        views.pop(key, None)

    views[key] = (weakref.ref(memory, gone), address, address + size)
    return memory


def _refuse_views(handle: Handle, first: int = 0, end: int = 1 << 64) -> None:
    count = sum(1 for _, a, b in list(handle.views.values()) if a < end and first < b)
    if count:
        raise BufferError(
            f"{count} array{'s' if count > 1 else ''} or view{'s' if count > 1 else ''} of this document "
            "would be left behind by this edit: delete them, or keep copies (array.copy())"
        )


class Moved:
    """The items of a list moved from one place in memory to another."""

    __slots__ = ("first", "end", "size", "to", "at", "count")

    def __init__(self, first: int, count: int, size: int, to: int, at: int, added: int) -> None:
        self.first = first
        self.end = first + count * size
        self.size = size
        self.to = to
        self.at = at  # index of the change
        self.count = added  # items inserted there, or removed (negative)

    def follow(self, address: int) -> int:
        """The new address of what was at this one; 0: it was removed."""
        if not self.first <= address < self.end:
            return address
        index, rest = divmod(address - self.first, self.size)
        if index >= self.at:
            if index < self.at - self.count:  # among the removed
                return 0
            index += self.count
        return self.to + index * self.size + rest


class Replaced:
    """Items `start` to `stop` - 1 of a list were replaced, those after them moved by `added`. What a replaced item held
    may be another item now."""

    __slots__ = ("first", "end", "size", "to", "start", "stop", "added", "places", "contents", "only")

    def __init__(self, first: int, count: int, size: int, start: int, stop: int, added: int, places: Dict[int, int],
                 contents: Dict[int, Dict[str, Any]], only: Optional[Type["Record"]] = None) -> None:
        self.first = self.to = first
        self.end = first + count * size
        self.size = size
        self.start = start
        self.stop = stop
        self.added = added
        self.places = places  # the new index of replaced items that are still there
        self.contents = contents  # of those that are not, so that a[0], a[1] = a[1], a[0] swaps
        self.only = only  # of a record that is a member: its class, since the record around it may begin there, too

    def content(self, address: int) -> Optional[Dict[str, Any]]:
        """What the item at this address held, if it was replaced by another record."""
        if not self.first <= address < self.end:
            return None
        return self.contents.get((address - self.first) // self.size)

    def follow(self, address: int) -> int:
        if not self.first <= address < self.end:
            return address
        index, rest = divmod(address - self.first, self.size)
        if self.start <= index < self.stop:
            if index not in self.places:
                return 0
            index = self.places[index]
        elif index >= self.stop:
            index += self.added
        return self.to + index * self.size + rest


# ---- records ---------------------------------------------------------------------------------------------


def no_member(cls: Type["Record"], name: str) -> AttributeError:
    """The error for a name that the class does not have, with those that are like it."""
    from difflib import get_close_matches

    names = [one for one in dir(cls) if not one.startswith("_")]
    close = get_close_matches(name, names, 3, 0.7)
    # "plane" of a document is in "planes"
    close += [one for one in names if one not in close and (name in one or one in name) and len(one) > 2][:3 - len(close)]
    below = [f"{field._attribute}[0].{name}" for field in cls._fields_.values()
             if field._kind == "list" and field._more.get("record") and name in classes[field._more["record"]]._attributes_()]
    close = below or close
    hint = f": did you mean {' or '.join(close)}?" if close else ": dir() lists what it has"
    return AttributeError(f"{cls.__name__} has no member {name}{hint}")


class Record:
    """A record of a document. Attributes read and assign the members of the library's struct at once.

    Records of a list that is edited by the list's own methods follow their items. After any other edit that
    replaced the list (`Document.set`, …), or if the item was removed, using a record raises DetachedError.
    """

    __slots__ = ("_handle", "_address", "_edits", "_parent", "_field", "_content")
    _format_: str = ""
    _table_: str = ""
    _label_: Optional[str] = None
    _fields_: Dict[str, "Field"] = {}

    def __init__(self) -> None:
        raise TypeError("records are made by their lists: append(), insert()")

    @classmethod
    def _make(cls, handle: Handle, address: int, parent: Optional["Record"], field: Optional["Field"]) -> Any:
        self = object.__new__(cls)
        self._handle = handle
        self._address = address
        self._edits = len(handle.edits)
        self._parent = parent
        self._field = field
        return self

    def _follow(self) -> None:
        """Brings the address up to date after edits."""
        handle = self._handle
        if handle.closed:
            raise ValueError("the document is closed")
        address = self._address
        for edit in handle.edits[self._edits:]:
            if edit is None or not address:
                continue
            if isinstance(edit, Replaced):
                if edit.only is not None and edit.only is not type(self):
                    continue
                self._content = edit.content(address)
            address = edit.follow(address)
        self._address = 0
        if address and self._parent is not None and self._field is not None:
            self._parent._check()
            if not self._field._holds(self._parent, address):
                address = 0
        if not address:
            self._edits = -1
            raise DetachedError("this record is not in its document any more: it, or its list, was removed or replaced")
        self._address = address
        self._edits = len(handle.edits)

    def _check(self) -> None:
        if self._edits != len(self._handle.edits) or self._handle.closed:
            self._follow()

    def __copy__(self) -> Any:
        raise TypeError(f"a {type(self).__name__} is a part of its document: to_dict() copies its content, and append() or "
                        "insert() of a list adds a copy")

    def __deepcopy__(self, memo: Any) -> Any:
        return self.__copy__()

    def __reduce_ex__(self, protocol: Any) -> Any:
        raise TypeError(f"a {type(self).__name__} cannot be pickled: use to_dict(), of a document to_bytes()")

    def _label(self) -> Any:
        return getattr(self, self._fields_[self._label_]._attribute) if self._label_ else None

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Record):
            return NotImplemented
        self._check()
        other._check()
        return self._handle is other._handle and self._address == other._address and type(self) is type(other)

    def __hash__(self) -> int:
        return hash((id(self._handle), type(self)))

    def __dir__(self) -> List[str]:
        return sorted(set(object.__dir__(self)))

    def to_dict(self, nested: bool = True) -> Dict[str, Any]:
        """The members as a dict: records and lists too if `nested`, grids as nested lists."""
        out: Dict[str, Any] = {}
        for field in self._fields_.values():
            if not nested and field._kind in ("record", "list", "cells"):
                continue
            value = field.__get__(self, type(self))
            out[field._name] = _plain(value)
        return out

    def update(self, **values: Any) -> None:
        """Assigns several attributes."""
        for name, value in values.items():
            if name not in self._attributes_():
                raise no_member(type(self), name)
            setattr(self, name, value)

    if not TYPE_CHECKING:  # a type checker shall know what is not there
        def __getattr__(self, name: str) -> Any:
            if name.startswith("_"):  # what programs try
                raise AttributeError(f"{type(self).__name__} has no member {name}")
            raise no_member(type(self), name)

    @classmethod
    def _attributes_(cls) -> Dict[str, "Field"]:
        return {field._attribute: field for field in cls._fields_.values()}

    def __repr__(self) -> str:
        try:
            self._check()
        except (DetachedError, ValueError) as error:
            return f"<{type(self).__name__}: {error}>"
        shown = []
        for field in self._fields_.values():
            if field._kind in ("int", "real", "text") and field._role == "value":
                value = field.__get__(self, type(self))
                if field._name == self._label_ or field._name in ("x", "y"):
                    shown.append(f"{field._attribute}={value!r}")
        return f"<{type(self).__name__} {' '.join(shown)}>" if shown else f"<{type(self).__name__}>"


def _plain(value: Any) -> Any:
    if isinstance(value, Record):
        return value.to_dict()
    if isinstance(value, Items):
        return [_plain(item) for item in value]
    if hasattr(value, "tolist"):
        return value.tolist()
    return value


def _copy(value: Any) -> Any:
    """A value that does not change when the document does; records are dicts of what can be assigned."""
    if isinstance(value, Record):
        return {f._attribute: _copy(f.__get__(value, type(value))) for f in value._fields_.values() if f._role != "derived"}
    if isinstance(value, dict):
        return {name: _copy(one) for name, one in value.items()}
    if isinstance(value, (Items, list, tuple)):
        return [_copy(one) for one in value]
    return value.tolist() if hasattr(value, "tolist") and not isinstance(value, (bytes, bytearray)) else value


def _assigned(value: Any) -> Any:
    """A value that is assigned: of a record whose place another one took, what it held."""
    if isinstance(value, Record):
        try:
            value._check()
        except DetachedError:
            content = getattr(value, "_content", None)
            if content is None:
                raise
            return content
    return value


def _listed(name: str, value: Any) -> List[Any]:
    """The items that are assigned to a list. A text is one item, not its characters."""
    if isinstance(value, (str, bytes, bytearray, dict)):
        raise TypeError(f"{name}: expected a list, found {type(value).__name__}")
    return list(value)


# ---- fields ----------------------------------------------------------------------------------------------


class Field:
    """A member of a record, described by the library's table."""

    _kind = ""

    def __init__(self, name: str, doc: str = "", role: str = "value", when: Optional[Tuple[str, Tuple[int, ...]]] = None,
                 **more: Any) -> None:
        self._name = name
        self._attribute = name
        self.__doc__ = doc
        self._role = role
        self._when = when
        self._more = more
        self._offset = -1
        self._pointers: Dict[str, int] = {}

    def __set_name__(self, owner: Type[Record], name: str) -> None:
        self._attribute = name
        self._owner = owner

    def _bind(self, layout: Sequence[Any]) -> None:
        kind, self._offset, self._size, self._flags, self._count_offset, item, self._item_size = layout[:7]
        if _KINDS[kind] != self._kind:
            raise ImportError(f"lvl: the library and its Python classes are of different versions: {self._name}")
        self._item_kind = _KINDS[item]

    def _pointer(self, record: Record) -> int:
        """The library's own description of this member."""
        handle = record._handle
        pointer = self._pointers.get(handle.format)
        if not pointer:
            pointer = _native.field(handle.format.encode(), record._table_.encode(), self._name.encode())
            if not pointer:
                raise UnsupportedError(f"{handle.format} has no {record._table_}.{self._name}")
            self._pointers[handle.format] = pointer
        return pointer

    def _holds(self, record: Record, address: int) -> bool:
        return True

    def _readonly(self) -> None:
        if self._role == "derived":
            raise AttributeError(f"{self._attribute} is computed when the document is written")

    def __get__(self, record: Any, owner: Any) -> Any:
        raise NotImplementedError

    def __set__(self, record: Record, value: Any) -> None:
        raise AttributeError(f"{self._attribute} cannot be assigned")


class Int(Field):
    _kind = "int"

    def _bind(self, layout: Sequence[Any]) -> None:
        super()._bind(layout)
        self._type = _INTS[self._size, bool(self._flags & SIGNED)]
        self._read = self._type.from_address
        self._code = self._type._type_  # of struct and memoryview
        self._names = self._more.get("names")
        self._values = {int(m): m for m in self._names} if self._names else None
        bits = self._size * 8
        self._low, self._high = (-(1 << bits - 1), (1 << bits - 1) - 1) if self._flags & SIGNED else (0, (1 << bits) - 1)

    def __get__(self, record: Any, owner: Any) -> Any:
        if record is None:
            return self
        handle = record._handle
        if record._edits != len(handle.edits) or handle.closed:
            record._follow()
        value = self._read(record._address + self._offset).value
        if self._values is None:
            return value
        if self._more.get("flags"):
            return self._names(value & self._high) if value >= 0 else value
        return self._values.get(value, value)

    def _column(self, values: List[int]) -> List[Any]:
        """What __get__ gives for each of these numbers."""
        if self._values is None:
            return values
        if self._more.get("flags"):
            known: Dict[int, Any] = {one: self._names(one & self._high) if one >= 0 else one for one in set(values)}
            return [known[one] for one in values]
        return [self._values.get(one, one) for one in values]

    def __set__(self, record: Record, value: Any) -> None:
        self._readonly()
        if isinstance(value, str) and self._names:
            value = self._parse(value)
        value = operator.index(value)
        if not self._low <= value <= self._high:
            raise OverflowError(f"{self._attribute}: {value} is not in {self._low}..{self._high}")
        record._check()
        self._type.from_address(record._address + self._offset).value = value

    def _parse(self, text: str) -> int:
        value = 0
        names = self._names._lvl_names_  # as in paths and dumps
        for part in text.split("|") if self._more.get("flags") else [text]:
            if part not in names:
                raise ArgumentError(f"{self._attribute}: expected one of {', '.join(names)}, found {part!r}")
            value |= names[part]
        return value


class Real(Field):
    _kind = "real"

    def __get__(self, record: Any, owner: Any) -> Any:
        if record is None:
            return self
        record._check()
        return ctypes.c_double.from_address(record._address + self._offset).value

    _code = "d"

    def _column(self, values: List[float]) -> List[float]:
        return values

    def __set__(self, record: Record, value: Any) -> None:
        self._readonly()
        value = float(value)
        record._check()
        ctypes.c_double.from_address(record._address + self._offset).value = value


def _slice_bytes(address: int) -> bytes:
    """The bytes of a lvl_text or lvl_bytes."""
    pointer, length = _size.from_address(address).value, _size.from_address(address + POINTER_SIZE).value
    return ctypes.string_at(pointer, length) if length and pointer else b""


class Text(Field):
    _kind = "text"

    def __get__(self, record: Any, owner: Any) -> Any:
        if record is None:
            return self
        record._check()
        at = record._address + self._offset
        data = ctypes.string_at(at, self._size).rstrip(b"\0") if self._flags & SLOT else _slice_bytes(at)
        return decode(data, record._handle.codepage)

    def __set__(self, record: Record, value: Any) -> None:
        self._readonly()
        if not isinstance(value, str):
            raise TypeError(f"{self._attribute}: expected str, found {type(value).__name__}")
        handle = record._handle
        data = encode(value, handle.codepage)
        with handle.lock:
            record._check()
            status = _native.put(handle.pointer, record._address, self._pointer(record), data, len(data))
        if status == 6:
            raise ArgumentError(f"{self._attribute}: {len(data)} bytes do not fit: expected at most {self._size - 1}")
        if status:
            _native.raise_status(status, "")


class Bytes(Field):
    _kind = "bytes"

    def __get__(self, record: Any, owner: Any) -> Any:
        if record is None:
            return self
        record._check()
        at = record._address + self._offset
        if self._flags & SLOT:
            return ctypes.string_at(at, self._size)
        if self._flags & LATE and not _size.from_address(at).value:
            handle = record._handle
            with handle.lock:
                return _native.call("content", handle.pointer, record._address, self._pointer(record)).data
        return _slice_bytes(at)

    def __set__(self, record: Record, value: Any) -> None:
        self._readonly()
        if isinstance(value, int):  # bytes(3) is three zeros
            raise TypeError(f"{self._attribute}: expected bytes, found {type(value).__name__}")
        data = bytes(value)
        handle = record._handle
        with handle.lock:
            record._check()
            status = _native.put(handle.pointer, record._address, self._pointer(record), data, len(data))
        if status:
            _native.raise_status(status, "")


class Sub(Field):
    """A record inside the record."""

    _kind = "record"

    def __get__(self, record: Any, owner: Any) -> Any:
        if record is None:
            return self
        record._check()
        return classes[self._more["record"]]._make(record._handle, record._address + self._offset, record, self)

    def _holds(self, record: Record, address: int) -> bool:
        return address == record._address + self._offset

    def __set__(self, record: Record, value: Any) -> None:
        own = self.__get__(record, type(record))
        moves = type(value) is type(own)
        value = _assigned(value)
        if moves and value != own:
            value = _copy(value)
            own._handle.edits.append(Replaced(own._address, 1, own._struct_size_, 0, 1, 0, {}, {0: _copy(own)}, type(own)))
            own = self.__get__(record, type(record))
        own.update(**(dict(value) if not isinstance(value, Record) else {}))


class List_(Field):
    _kind = "list"

    def __get__(self, record: Any, owner: Any) -> Any:
        if record is None:
            return self
        record._check()
        return (RecordItems if self._item_kind == "record" else TextItems if self._item_kind == "text" else NumberItems)(
            record, self)

    def _place(self, record: Record) -> Tuple[int, int]:
        """Address of the first item, and how many there are."""
        record._check()
        at = record._address
        return _size.from_address(at + self._offset).value, _u32.from_address(at + self._count_offset).value

    def _holds(self, record: Record, address: int) -> bool:
        first, count = self._place(record)
        return first <= address < first + count * self._item_size

    def __set__(self, record: Record, value: Any) -> None:
        items = self.__get__(record, type(record))
        if isinstance(value, Items):
            held = value._held()
            if held is None and value == items:  # after +=
                return
            held = _copy(value) if held is None else held
            items._record._handle.lists.append((items._record, self, _copy(items)))  # another one may still show it: a swap
            value = held
        items[:] = value


class Cells(Field):
    """A grid: a two-dimensional array (rows, columns) over the document's memory, to read and to write."""

    _kind = "cells"

    def __get__(self, record: Any, owner: Any) -> Any:
        if record is None:
            return self
        np = numpy()
        handle = record._handle
        with handle.lock:
            record._check()
            at = record._address + self._offset
            pointer = _size.from_address(at).value
            if pointer not in handle.grids:
                pointer = self._open(record)
            width, height, size = (_u32.from_address(at + POINTER_SIZE + 4 * i).value for i in range(3))
            if not pointer or not width or not height:
                return np.zeros((0, 0), _grid_type(size or 4)) if np is not None else memoryview(b"")
            memory = _view(handle, pointer, width * height * size)
        if np is not None:
            return np.frombuffer(memory, _grid_type(size)).reshape(height, width)
        return memoryview(memory).cast("B").cast({1: "B", 2: "H", 4: "I"}[size], [height, width])

    def _open(self, record: Record) -> int:
        """Makes the grid writable."""
        handle = record._handle
        at = record._address + self._offset
        if not self._flags & LATE and not _size.from_address(at).value:
            return 0  # there are no cells
        pointer: int = _native.cells(handle.pointer, record._address, self._pointer(record)) or 0
        if not pointer:
            raise MemoryError("the grid is too large, or memory is short")
        handle.grids.add(pointer)
        return pointer

    def __set__(self, record: Record, value: Any) -> None:
        np = numpy()
        grid = self.__get__(record, type(record))
        if not len(grid) and hasattr(value, "__len__") and not len(value):
            return
        if np is not None:
            value = np.asarray(value)
            at = value.__array_interface__["data"][0]
            if at in record._handle.grids and value.size == grid.size and at != grid.__array_interface__["data"][0]:
                raise ArgumentError(f"{self._attribute}: this array shows another grid of the document, and changes with it: "
                                    "assign its copy()")
            if value.shape != grid.shape:
                raise ArgumentError(
                    f"{self._attribute}: expected an array of shape {grid.shape}, found {value.shape}; "
                    "Document.resize changes the size")
            if value.size and (value.min() < 0 or value.max() > np.iinfo(grid.dtype).max):
                raise OverflowError(f"{self._attribute}: a value does not fit into {grid.dtype}")
            grid[...] = value
            return
        rows = value.tolist() if isinstance(value, memoryview) else [list(row) for row in value]
        if (len(rows), len(rows[0]) if rows else 0) != tuple(grid.shape) or any(len(r) != len(rows[0]) for r in rows):
            raise ArgumentError(f"{self._attribute}: expected {grid.shape} cells; Document.resize changes the size")
        for y, row in enumerate(rows):
            for x, cell in enumerate(row):
                grid[y, x] = cell


def _grid_type(size: int) -> str:
    return {1: "<u1", 2: "<u2", 4: "<u4"}[size]


# ---- lists -----------------------------------------------------------------------------------------------


class Items:
    """A list of a record. It shows the document: what is added or removed here is added or removed there."""

    __slots__ = ("_record", "_list", "_class", "_made")

    def __init__(self, record: Record, field: List_) -> None:
        self._record = record
        self._list = field
        self._made = len(record._handle.lists)
        self._class: Any = classes[field._more["record"]] if field._item_kind == "record" else None

    def _place(self) -> Tuple[int, int]:
        return self._list._place(self._record)

    def _held(self) -> Optional[List[Any]]:
        """What the list held if another list was assigned to its member since; else None."""
        for record, field, content in self._record._handle.lists[self._made:]:
            try:
                if field is self._list and record == self._record:
                    return content
            except DetachedError:
                self._record._check()  # else that of the other record, which was removed
        return None

    def _get(self, address: int) -> Any:
        raise NotImplementedError

    def _put(self, index: int, value: Any) -> None:
        raise NotImplementedError

    def __len__(self) -> int:
        return self._place()[1]

    def _index(self, index: Any) -> int:
        count = len(self)
        index = operator.index(index)
        if index < 0:
            index += count
        if not 0 <= index < count:
            raise IndexError(f"{self._list._attribute}[{index}]: there are {count} items")
        return index

    def __getitem__(self, index: Any) -> Any:
        if isinstance(index, slice):
            first, count = self._place()
            return [self._get(first + i * self._list._item_size) for i in range(*index.indices(count))]
        index = self._index(index)
        return self._get(self._place()[0] + index * self._list._item_size)

    def __iter__(self) -> Iterator[Any]:
        index = 0
        edits = self._record._handle.edits
        size, get = self._list._item_size, self._get
        seen, first, count = -1, 0, 0
        while True:
            if seen != len(edits) or index >= count:
                first, count = self._place()
                seen = len(edits)
                if index >= count:
                    return
            yield get(first + index * size)
            index += 1

    def __reversed__(self) -> Iterator[Any]:
        return iter(self[::-1])

    def __setitem__(self, index: Any, value: Any) -> None:
        if isinstance(index, slice):
            if index.step not in (None, 1):
                raise ValueError("a slice with steps cannot be assigned")
            start, stop, _ = index.indices(len(self))
            values = _listed(self._list._attribute, value)
            self._replace(start, max(start, stop), values)
            return
        index = self._index(index)
        self._replace(index, index + 1, [value])

    def _replace(self, start: int, stop: int, values: List[Any]) -> None:
        """Assigns to the items from `start` to `stop` - 1, of which there are as many as values afterwards."""
        self._check_values(values)
        if len(values) > stop - start:
            self._change(stop, len(values) - (stop - start))
        elif len(values) < stop - start:
            self._change(start + len(values), len(values) - (stop - start))
        for i, one in enumerate(values):
            self._put(start + i, one)

    def _check_values(self, values: List[Any]) -> None:
        """Raises what _put would, before anything is changed."""

    def __delitem__(self, index: Any) -> None:
        if isinstance(index, slice):
            for i in sorted(range(*index.indices(len(self))), reverse=True):
                self._change(i, -1)
            return
        self._change(self._index(index), -1)

    def _change(self, index: int, added: int, replaced: Optional[Replaced] = None) -> None:
        """Inserts default items before an index, or removes some. `replaced`: which items are others afterwards."""
        if not added:
            return
        field = self._list
        record = self._record
        handle = record._handle
        if field._flags & FIXED:
            raise UnsupportedError(f"{field._attribute} has a fixed number of items")
        field._readonly()
        with handle.lock:
            first, count = self._place()
            end = first + count * field._item_size
            if added < 0 and self._nested():
                _refuse_views(handle)
            elif count:
                _refuse_views(handle, first, end)
            call = _native.insert if added > 0 else _native.remove
            status = call(handle.pointer, record._address, field._pointer(record), index, abs(added))
            if status:
                _native.raise_status(status, "")
            to = _size.from_address(record._address + field._offset).value
            if replaced is not None:
                replaced.to = to
                handle.edits.append(replaced)
            elif count and (to != first or index < count):
                handle.edits.append(Moved(first, count, field._item_size, to, index, added))

    def _nested(self) -> bool:
        """Whether items have memory of their own that an array can show."""
        return False

    def append(self, value: Any) -> Any:
        """Adds an item at the end."""
        return self.insert(len(self), value)

    def insert(self, index: int, value: Any) -> Any:
        """Adds an item before an index."""
        count = len(self)
        index = max(0, index + count) if index < 0 else min(index, count)
        self._check_values([value])
        self._change(index, 1)
        self._put(index, value)
        return self[index]

    def extend(self, values: Any) -> None:
        self[len(self):] = values

    def __copy__(self) -> List[Any]:
        return list(self)

    def __deepcopy__(self, memo: Any) -> List[Any]:
        return [_copy(item) for item in self]

    def __iadd__(self, values: Any) -> "Items":
        self.extend(values)
        return self

    def clear(self) -> None:
        self._change(0, -len(self))

    def pop(self, index: int = -1) -> Any:
        """Removes an item and returns its content (a record: as a dict)."""
        index = self._index(index)
        value = _plain(self[index])
        self._change(index, -1)
        return value

    def __eq__(self, other: object) -> bool:
        if isinstance(other, Items):
            return self._record == other._record and self._list is other._list
        if isinstance(other, (list, tuple)):
            return list(self) == list(other)
        return NotImplemented

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        shown = ", ".join(repr(item) for item in self[:5])
        return f"[{shown}{', …' if len(self) > 5 else ''}]"


class RecordItems(Items):
    """A list of records."""

    __slots__ = ()

    def _get(self, address: int) -> Any:
        own = object.__new__(self._class)
        handle = self._record._handle
        own._handle = handle
        own._address = address
        own._edits = len(handle.edits)
        own._parent = self._record
        own._field = self._list
        return own

    def __getitem__(self, index: Any) -> Any:
        if isinstance(index, str):
            found = self._find(index)
            if found is None:
                from difflib import get_close_matches

                close = get_close_matches(index, [str(one) for one in self.keys()[:1000]], 3) if self._class._label_ else []
                hint = f": did you mean {' or '.join(map(repr, close))}?" if close else ""
                raise KeyError(f"{self._list._attribute}: no item has the {self._class._label_ or 'label'} {index!r}{hint}")
            return found
        return super().__getitem__(index)

    if not TYPE_CHECKING:
        def __getattr__(self, name: str) -> Any:
            if not name.startswith("_") and name in self._class._attributes_():
                raise AttributeError(f"{self._list._attribute} is a list: its items have {name}, such as "
                                     f"{self._list._attribute}[0].{name}")
            raise AttributeError(f"{type(self).__name__} has no member {name}")

    def __delitem__(self, index: Any) -> None:
        if isinstance(index, str):
            index = self.index(self[index])
        super().__delitem__(index)

    def _nested(self) -> bool:
        return _has_memory(self._class)

    def _find(self, label: str) -> Any:
        if self._class._label_ is None:
            return None
        for item in self:
            if item._label() == label:
                return item
        return None

    def __contains__(self, item: object) -> bool:
        if isinstance(item, str):
            return self._find(item) is not None
        if isinstance(item, Record) and item._handle is self._record._handle:
            item._check()
            first, count = self._place()
            return first <= item._address < first + count * self._list._item_size and type(item) is self._class
        return False

    def index(self, item: Any) -> int:
        """The index of one of its records."""
        if item not in self:
            raise ValueError(f"{item!r} is not in {self._list._attribute}")
        if isinstance(item, str):
            item = self._find(item)
        return int((item._address - self._place()[0]) // self._list._item_size)

    def get(self, label: str, default: Any = None) -> Any:
        """The item with that label, or `default`."""
        found = self._find(label)
        return default if found is None else found

    def keys(self) -> List[Any]:
        """The labels of the items."""
        return [item._label() for item in self]

    def _ipython_key_completions_(self) -> List[Any]:
        return self.keys() if self._class._label_ else []

    def _values(self, value: Any) -> Dict[str, Any]:
        value = _assigned(value)
        if isinstance(value, Record):
            return {f._attribute: f.__get__(value, type(value)) for f in value._fields_.values() if f._role != "derived"}
        return dict(value)

    def _check_values(self, values: List[Any]) -> None:
        known = self._class._attributes_()
        for value in values:
            if not isinstance(value, Record):
                for name in dict(value):
                    if name not in known:
                        raise no_member(self._class, name)

    def _put(self, index: int, value: Any) -> None:
        self[index].update(**self._values(value))

    def _check_grids(self, index: int, value: Dict[str, Any]) -> None:
        """Raises what _put of this item would for grids, whose size cannot be assigned."""
        item = self[index]
        for field in self._class._fields_.values():
            new = value.get(field._attribute)
            if field._kind == "cells" and new is not None:
                grid = field.__get__(item, self._class)
                shape = tuple(grid.shape) if hasattr(grid, "shape") and len(grid) else (0, 0)
                if (len(new), len(new[0]) if len(new) else 0) != shape:
                    raise ArgumentError(f"{self._list._attribute}[{index}].{field._attribute} has {shape} cells, and the new "
                                        f"item {(len(new), len(new[0]) if len(new) else 0)}: Document.resize changes the size")
            elif field._kind == "list" and new and field._more.get("record") and _has_grids(classes[field._more["record"]]):
                raise ArgumentError(f"{self._list._attribute}[{index}].{field._attribute} has grids, whose size cannot be "
                                    "assigned: Document.copy_from copies them")

    def _replace(self, start: int, stop: int, values: List[Any]) -> None:
        self._check_values(values)
        swaps = any(isinstance(one, Record) for one in values)
        values = [_assigned(one) for one in values]
        first, count = self._place()
        size = self._list._item_size
        added = len(values) - (stop - start)
        old = [self.index(one) if isinstance(one, Record) and one in self else None for one in values]
        places: Dict[int, int] = {}  # a record of this list follows what it shows to its first new place
        for i, was in enumerate(old, start):
            if was is not None and start <= was < stop:
                places[was] = was if i == was else places.get(was, i)
        copies = [None if was == i else _copy(one) for i, (was, one) in enumerate(zip(old, values), start)]
        for i, one in enumerate(copies[:stop - start], start):
            if one is not None:
                self._check_grids(i, one)
        contents = {}
        if swaps:
            contents = {i: _copy(self[i]) for i, one in enumerate(copies[:stop - start], start)
                        if one is not None and i not in places}
        replaced = Replaced(first, count, size, start, stop, added, places, contents)
        if added:
            self._change(stop if added > 0 else stop + added, added, replaced)
        elif any(one is not None for one in copies):
            self._record._handle.edits.append(replaced)
        for i, one in enumerate(copies, start):
            if one is not None:
                self._put(i, one)

    def append(self, value: Any = None, **values: Any) -> Any:
        """Adds a record with all defaults at the end, assigns the values, and returns it."""
        return self.insert(len(self), value, **values)

    def insert(self, index: int, value: Any = None, **values: Any) -> Any:
        """Adds a record with all defaults before an index, assigns the values, and returns it."""
        values = {**(self._values(value) if value is not None else {}), **values}
        self._check_values([values])
        count = len(self)
        index = max(0, index + count) if index < 0 else min(index, count)
        self._change(index, 1)
        item = self[index]
        try:
            item.update(**values)
        except BaseException:
            self._change(index, -1)
            raise
        return item

    def remove(self, item: Any) -> None:
        """Removes one of its records."""
        self._change(self.index(item), -1)

    def where(self, condition: Optional[Callable[[Any], bool]] = None, **values: Any) -> List[Any]:
        """The records whose attributes have these values: where(logic="Soldier"). A value may be a function
        (where(x=lambda x: x > 100)) or a set of values; `condition` is a function of the record."""
        if condition is not None and not callable(condition):
            raise TypeError(f"expected a function, or values by name such as logic={condition!r}, found {condition!r}")
        tests = []
        attributes = self._class._attributes_()
        for name, value in values.items():
            if name not in attributes:
                raise no_member(self._class, name)
            if callable(value):
                tests.append((attributes[name], value))
            elif isinstance(value, (set, frozenset, list, tuple)):
                tests.append((attributes[name], value.__contains__))
            elif isinstance(value, str) and isinstance(attributes[name], Int):
                tests.append((attributes[name], functools.partial(operator.eq, attributes[name]._parse(value))))
            else:
                tests.append((attributes[name], functools.partial(operator.eq, value)))
        return [
            item for item in self
            if all(test(field.__get__(item, self._class)) for field, test in tests)
            and (condition is None or condition(item))
        ]

    @property
    def array(self) -> Any:
        """The numbers of all records as a structured array over the document's memory: array["x"] += 64."""
        np = numpy()
        if np is None:
            raise UnsupportedError("arrays of records need NumPy")
        with self._record._handle.lock:
            first, count = self._place()
            dtype = _dtype(self._class)
            if not count:
                return np.zeros(0, dtype)
            memory = _view(self._record._handle, first, count * self._list._item_size)
        return np.frombuffer(memory, dtype)


def _members(cls: Type[Record], prefix: str = "", offset: int = 0) -> Iterator[Tuple[str, int, "Field"]]:
    """The numbers and texts of a record and of those in it: name, offset, field."""
    for field in cls._fields_.values():
        if field._kind in ("int", "real", "text"):
            yield prefix + field._attribute, offset + field._offset, field
        elif field._kind == "record":
            yield from _members(classes[field._more["record"]], f"{prefix}{field._attribute}.", offset + field._offset)


def columns(items: "RecordItems") -> Dict[str, Sequence[Any]]:
    """The numbers and texts of all records of a list, by the names of their members. The memory is read a column at a time,
    not a member at a time."""
    handle = items._record._handle
    with handle.lock:
        first, count = items._place()
        if not count:
            return {name: () for name, _, _ in _members(items._class)}
        size = items._list._item_size
        memory = memoryview((ctypes.c_ubyte * (count * size)).from_address(first)).cast("B")
        views: Dict[str, Any] = {}

        def column(code: str, at: int) -> List[Any]:
            width = struct.calcsize(code)
            if at % width or size % width:  # with 32 bits, 8 bytes may lie at a multiple of 4
                return [struct.unpack_from("=" + code, memory, i)[0] for i in range(at, count * size, size)]
            if code not in views:
                views[code] = memory.cast(code)
            return views[code][at // width::size // width].tolist()  # type: ignore[no-any-return]

        found: Dict[str, Sequence[Any]] = {}
        for name, at, field in _members(items._class):
            if not field._kind == "text":
                found[name] = field._column(column(field._code, at))  # type: ignore[attr-defined]
            elif field._flags & SLOT:
                found[name] = [decode(bytes(memory[i + at:i + at + field._size]).rstrip(b"\0"), handle.codepage)
                               for i in range(0, count * size, size)]
            else:
                read, texts = ctypes.string_at, {b"": ""}
                data = [read(pointer, length) if length and pointer else b""
                        for pointer, length in zip(column("P", at), column("N", at + POINTER_SIZE))]
                for one in set(data):
                    texts[one] = decode(one, handle.codepage)
                found[name] = [texts[one] for one in data]
        return found


def _has_grids(cls: Type[Record]) -> bool:
    return any(f._kind == "cells" or (f._more.get("record") and _has_grids(classes[f._more["record"]]))
               for f in cls._fields_.values())


def _has_memory(cls: Type[Record]) -> bool:
    return any(
        f._kind in ("list", "cells") or (f._kind == "record" and _has_memory(classes[f._more["record"]]))
        for f in cls._fields_.values()
    )


_dtypes: Dict[Type[Record], Any] = {}


def _dtype(cls: Type[Record]) -> Any:
    """The members that are numbers, inline texts, and records of them."""
    found = _dtypes.get(cls)
    if found is not None:
        return found
    names, formats, offsets = [], [], []
    for field in cls._fields_.values():
        kind: Any
        if field._kind == "int":
            kind = f"{'i' if field._flags & SIGNED else 'u'}{field._size}"
        elif field._kind == "real":
            kind = "f8"
        elif field._kind in ("text", "bytes") and field._flags & SLOT:
            kind = f"S{field._size}"
        elif field._kind == "record":
            kind = _dtype(classes[field._more["record"]])
        else:
            continue
        names.append(field._attribute)
        formats.append(kind)
        offsets.append(field._offset)
    dtype = numpy().dtype({"names": names, "formats": formats, "offsets": offsets, "itemsize": cls._struct_size_})  # type: ignore
    _dtypes[cls] = dtype
    return dtype


class TextItems(Items):
    """A list of texts."""

    __slots__ = ()

    def _get(self, address: int) -> str:
        return decode(_slice_bytes(address), self._record._handle.codepage)

    def _check_values(self, values: List[Any]) -> None:
        for value in values:
            if not isinstance(value, str):
                raise TypeError(f"{self._list._attribute}: expected str, found {type(value).__name__}")
            encode(value, self._record._handle.codepage)

    def _put(self, index: int, value: Any) -> None:
        self._check_values([value])
        record = self._record
        handle = record._handle
        data = encode(value, handle.codepage)
        with handle.lock:
            record._check()
            status = _native.put_item(handle.pointer, record._address, self._list._pointer(record), index, data, len(data))
        if status:
            _native.raise_status(status, "")

    def __contains__(self, item: object) -> bool:
        return any(one == item for one in self)

    def index(self, item: str) -> int:
        for i, one in enumerate(self):
            if one == item:
                return i
        raise ValueError(f"{item!r} is not in {self._list._attribute}")

    def remove(self, item: str) -> None:
        self._change(self.index(item), -1)


class NumberItems(Items):
    """A list of numbers."""

    __slots__ = ()

    @property
    def _type(self) -> Any:
        if self._list._item_kind == "real":
            return ctypes.c_double
        return _INTS[self._list._item_size, bool(self._list._flags & SIGNED)]

    def _get(self, address: int) -> Any:
        return self._type.from_address(address).value

    def _check_values(self, values: List[Any]) -> None:
        for value in values:
            if self._list._item_kind == "real":
                float(value)
                continue
            number = operator.index(value)
            if self._type(number).value != number:
                raise OverflowError(f"{self._list._attribute}: {number} does not fit")

    def _put(self, index: int, value: Any) -> None:
        self._check_values([value])
        first, _ = self._place()
        self._type.from_address(first + index * self._list._item_size).value = value

    @property
    def array(self) -> Any:
        """The numbers as an array over the document's memory."""
        np = numpy()
        if np is None:
            raise UnsupportedError("arrays need NumPy")
        dtype = np.dtype(self._type)
        with self._record._handle.lock:
            first, count = self._place()
            if not count:
                return np.zeros(0, dtype)
            memory = _view(self._record._handle, first, count * self._list._item_size)
        return np.frombuffer(memory, dtype)


# ---- classes ---------------------------------------------------------------------------------------------

classes: Dict[str, Type[Record]] = {}
_bound: Dict[str, Type[Record]] = {}
# For each format: its root's class, and the class of each table. Filled by the generated module.
formats: Dict[str, Dict[str, str]] = {}


def register(cls: Type[Record]) -> None:
    """Called for each generated class."""
    fields: Dict[str, Field] = {}
    for base in reversed(cls.__mro__):
        for value in vars(base).values():
            if isinstance(value, Field):
                fields[value._name] = value
    cls._fields_ = fields
    classes[cls.__name__] = cls


def root_class(format_id: str) -> Type[Record]:
    """The class of a format's root, with the members placed as in the library that is running."""
    cls = _bound.get(format_id)
    if cls is not None:
        return cls
    layout = json.loads(_native.call("layout", format_id.encode()).data)
    tables = formats[format_id]
    for name, table in layout["tables"].items():
        if name not in tables:
            continue  # of a newer library
        own = classes[tables[name]]
        own._struct_size_ = table["size"]  # type: ignore[attr-defined]
        for field in own._fields_.values():
            if field._name not in table["fields"]:
                raise ImportError(f"lvl: the library has no {name}.{field._name}: it is older than lvl for Python")
            field._bind(table["fields"][field._name])
    _bound[format_id] = classes[tables[layout["root"]]]
    return _bound[format_id]
