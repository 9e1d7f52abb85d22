"""Documents: opening, saving, comparing, converting, drawing."""
from __future__ import annotations

import builtins
import json
import os
import warnings
from typing import IO, Any, Dict, List, Mapping, NamedTuple, Optional, Sequence, Tuple, Type, TypeVar, Union, overload

from . import _native, _records
from ._native import Answer, ArgumentError, Finding, ForeignError, Handle, LvlError
from ._records import Items, Record, RecordItems, numpy

Path = Union[str, "os.PathLike[str]"]
Source = Union[Path, bytes, bytearray, memoryview, IO[bytes]]
D = TypeVar("D", bound="Document")


class FindingWarning(UserWarning):
    """A finding of a document that was opened with warn=True."""


def _warn(answer: Answer) -> None:
    """What an edit or a save warns of, such as a value that is dropped, as Python warnings."""
    for finding in answer.findings:
        if finding.severity == "warning":
            warnings.warn(FindingWarning(str(finding)), stacklevel=3)


class Check(NamedTuple):
    """What `Document.check` found. `verdict`: "sound"; "faulty": whole, but the game misbehaves or crashes; "damaged"; "unreadable"."""

    verdict: str
    findings: List[Finding]
    details: Dict[str, Any]

    @property
    def sound(self) -> bool:
        return self.verdict == "sound"

    def __bool__(self) -> bool:
        return self.sound


class Diff(NamedTuple):
    """What changed between two documents: `text` for people, `changes` for programs."""

    different: bool
    text: str
    changes: List[Dict[str, Any]]

    def __bool__(self) -> bool:
        return self.different

    def __str__(self) -> str:
        return self.text


class Picture:
    """A picture, encoded as PNG. `missing`: what of the game's art was not found, a text for each picture ("CLAW: 3
    objects"); what needs it is marked, or drawn schematically."""

    def __init__(self, png: bytes, width: int, height: int, missing: Sequence[str] = ()) -> None:
        self.png = png
        self.width = width
        self.height = height
        self.missing = list(missing)

    def save(self, path: Path) -> None:
        with builtins.open(path, "wb") as file:
            file.write(self.png)

    def _repr_png_(self) -> bytes:
        return self.png

    def __repr__(self) -> str:
        lacks = f", {len(self.missing)} missing: {self.missing[0]}" if self.missing else ""
        return f"<Picture {self.width}x{self.height}{lacks}{' …' if len(self.missing) > 1 else ''}>"


def _settings(format: Optional[str], profile: Optional[str], codepage: Optional[str],
              limits: Optional[Mapping[str, int]]) -> Dict[str, Any]:
    known = ("input_bytes", "memory_bytes", "cells", "items", "depth", "inflate_ratio", "findings", "work")
    for name in limits or {}:
        if name not in known:
            raise ArgumentError(f"there is no limit {name}: expected one of {', '.join(known)}")
    out: Dict[str, Any] = {"format": format, "profile": profile, "codepage": codepage}
    out.update({name: int(value) for name, value in (limits or {}).items()})
    return out


def _wrap(answer: Answer, name: str, settings: Optional[Mapping[str, Any]] = None) -> "Document":
    assert answer.doc
    handle = Handle(answer.doc, name)
    handle.settings = settings or {}
    cls = _records.root_class(handle.format)
    document: Document = cls._make(handle, _native.root(handle.pointer), None, None)
    document.findings = answer.findings
    return document


def _art(art: Union[None, Path, Sequence[Path]]) -> List[str]:
    if art is None:
        return []
    if isinstance(art, (str, os.PathLike)):
        return [os.fspath(art)]
    return [os.fspath(one) for one in art]


@overload
def open(source: Source, kind: None = None, *, name: Optional[str] = None, format: Optional[str] = None,
         profile: Optional[str] = None, codepage: Optional[str] = None, limits: Optional[Mapping[str, int]] = None,
         warn: bool = False) -> Any: ...


@overload
def open(source: Source, kind: Type[D], *, name: Optional[str] = None, format: Optional[str] = None,
         profile: Optional[str] = None, codepage: Optional[str] = None, limits: Optional[Mapping[str, int]] = None,
         warn: bool = False) -> D: ...


def open(source: Source, kind: Optional[Type[D]] = None, *, name: Optional[str] = None, format: Optional[str] = None,
         profile: Optional[str] = None, codepage: Optional[str] = None, limits: Optional[Mapping[str, int]] = None,
         warn: bool = False) -> Any:
    """Opens a level or another file of the games.

    `source`: a path ("pack.levelpack//levels/hill.level" is a member of an archive), bytes, or a file opened for
    reading bytes. `kind`: the class that is expected (lvl.Wwd), which also says the type to a type checker; another
    one is a FormatError. `name`: the file's name, for bytes. `format`: the id of a format, instead of probing.
    `profile`: "strict", "game", "salvage", or a program, whose rules findings follow. `limits`: memory_bytes, work and
    others. `warn`: findings become Python warnings.

    A damaged file opens as far as it can be read; `findings` of the document has what is wrong.
    """
    values = _settings(format, profile, codepage, limits)
    if isinstance(source, (str, os.PathLike)):
        path = os.fspath(source)
        if name is not None:
            raise ArgumentError("name is for bytes and files; the path names the file")
        options = _native.options({**values, "format": None})
        if format is not None:
            with builtins.open(path, "rb") as file:
                document = open(file.read(), kind, name=path, format=format, profile=profile, codepage=codepage,
                                limits=limits, warn=warn)
            document._handle.file = path
            return document
        try:
            answer = _native.call("load", os.fsencode(path), options)
        except _native.MissingError as error:
            if not os.path.exists(path.split("//")[0]):
                raise _native.MissingFileError(str(error), error.findings) from None
            raise
    else:
        if hasattr(source, "read"):
            own = getattr(source, "name", None)
            if name is None and isinstance(own, str):
                name = own
            source = source.read()
            if not isinstance(source, (bytes, bytearray, memoryview)):
                raise TypeError("expected a file that is opened for reading bytes")
        data = bytes(source)
        path = name or ""
        answer = _native.call("open", data, len(data), os.fsencode(path), _native.options(values))
    document = _wrap(answer, path, values)
    if isinstance(source, (str, os.PathLike)) and "//" not in path:
        document._handle.file = path
    if kind is not None and not isinstance(document, kind):
        raise ForeignError(f"{path or 'the document'} is {type(document).__name__}, expected {kind.__name__}")
    if warn:
        for finding in document.findings:
            warnings.warn(FindingWarning(str(finding)), stacklevel=2)
    return document


def new(format: str, *, form: Optional[str] = None, ending: Optional[str] = None, width: int = 0, height: int = 0,
        base: int = 0, like: Optional["Document"] = None, codepage: Optional[str] = None) -> Any:
    """A new, empty level that the game loads. `width`, `height`: of the main plane, cells (of drawings px). `base`: the base
    level of Claw, from 1, whose planes, tile properties, floor, start and exit a WWD gets. `like`: a level whose planes,
    palette and settings it gets."""
    options = _native.options({"form": form, "ending": ending, "width": width or None, "height": height or None,
                               "base": base or None, "codepage": codepage})
    if like is None:
        return _wrap(_native.call("new", format.encode(), None, options), "")
    with like._handle.lock:
        return _wrap(_native.call("new", format.encode(), like._pointer(), options), "")


def undump(text: Union[str, bytes], *, name: str = "", codepage: Optional[str] = None,
           limits: Optional[Mapping[str, int]] = None) -> Any:
    """A document from a dump (`Document.dump`)."""
    data = text.encode() if isinstance(text, str) else bytes(text)
    options = _native.options({**_settings(None, None, codepage, limits), "format": None})
    return _wrap(_native.call("undump", data, len(data), os.fsencode(name), options), name)


class _Locked:
    """Holds the locks of documents, always in the same order."""

    def __init__(self, *documents: "Document") -> None:
        for one in documents:
            if not isinstance(one, Document):
                raise TypeError(f"expected documents, as lvl.open returns them, found {one!r}")
        self.locks = [d._handle.lock for d in sorted(documents, key=lambda d: id(d._handle))]

    def __enter__(self) -> None:
        for lock in self.locks:
            lock.acquire()

    def __exit__(self, *_: Any) -> None:
        for lock in reversed(self.locks):
            lock.release()


class Document(Record):
    """A document: the root record of a file, and what can be done with it.

    Threads: any number may read attributes, check, render and so on; edits belong to one thread, while none reads.
    """

    __slots__ = ("findings",)
    findings: List[Finding]

    def _pointer(self) -> int:
        self._check()
        return self._handle.pointer

    def _call(self, name: str, *arguments: Any, partial: bool = False) -> Answer:
        with self._handle.lock:
            return _native.call(name, self._pointer(), *arguments, partial=partial)

    def _look(self, name: str, art: Sequence[str], options: Mapping[str, Any], *arguments: Any) -> Answer:
        """A call that looks up pictures, in `art` and around the file."""
        with self._handle.lock:
            self._pointer()
            return _native.call_with_art(self._handle, name, art, *arguments, _native.options(options))

    def _edit(self, name: str, *arguments: Any) -> Answer:
        """A call that may replace any list or grid."""
        with self._handle.lock:
            pointer = self._pointer()
            _records._refuse_views(self._handle)
            self._handle.edits.append(None)
            return _native.call(name, pointer, *arguments)

    # ---- the file ----

    @property
    def format(self) -> str:
        """The id of its format."""
        return self._handle.format

    @property
    def filename(self) -> str:
        """The path or name that it was opened with."""
        return self._handle.name

    @property
    def codepage(self) -> str:
        return ("windows-1252", "windows-1250", "windows-1251", "utf-8")[self._handle.codepage]

    def close(self) -> None:
        """Ends the use of the document. Its memory is freed when no record or array shows it any more."""
        self._handle.closed = True

    def __copy__(self: D) -> D:
        """A document of its own with the same content. It has no file: `save` needs a path."""
        data = self.to_bytes(allow_damaged=True)
        answer = _native.call("open", data, len(data), os.fsencode(self._handle.name), _native.options(
            {**self._handle.settings, "format": self.format, "codepage": self.codepage}))
        return _wrap(answer, self._handle.name, self._handle.settings)  # type: ignore[return-value]

    def __deepcopy__(self: D, memo: Any) -> D:
        return self.__copy__()

    def __enter__(self: D) -> D:
        return self

    def __exit__(self, *_: Any) -> None:
        self.close()

    def to_bytes(self, *, allow_damaged: bool = False) -> bytes:
        """The document as its file: the same bytes as were read where nothing was changed. LossError: the format cannot
        represent a value; or the source is cut off, and the edited file, which might replace it, would look whole."""
        answer = self._call("write", _native.options({"damaged": allow_damaged}))
        _warn(answer)
        return answer.data

    def save(self, path: Optional[Path] = None, *, allow_damaged: bool = False) -> None:
        """Writes the file, as a whole or not at all; without a path, the file that was opened. A document that was made
        by merge, convert, repair or new has no such file, and needs a path. LossError: the format
        cannot represent a value; or the file that was opened is cut off, and the edited one would look whole. Into another
        file it is written."""
        if path is None:
            path = self._handle.file
            if path is None:
                raise ArgumentError("save needs a path: the document was not opened from a file of its own")
        _warn(self._call("save", os.fsencode(os.fspath(path)), _native.options({"damaged": allow_damaged})))

    # ---- values ----

    def get(self, path: str) -> List[Any]:
        """The values that match a path ('planes[*].objects[logic=Rat].x'), as in a dump."""
        answer = self._call("get", path.encode(), _native.options({"json": True}))
        return [json.loads(line)["value"] for line in answer.data.splitlines()]

    def set(self, *assignments: str, **more: Any) -> int:
        """Applies assignments "path=value", all or none; returns how many values were assigned."""
        if more:
            raise TypeError("set takes texts: set('planes[0].objects[3].x=64')")
        answer = self._edit("set", _native.texts(assignments))
        _warn(answer)
        return answer.count

    def unset(self, *paths: str) -> int:
        """Resets what matches the paths to defaults; removes list items."""
        answer = self._edit("unset", _native.texts(paths))
        _warn(answer)
        return answer.count

    def copy_from(self, source: "Document", path: str, to: Optional[str] = None) -> int:
        """Copies what matches the path in another document."""
        with _Locked(self, source):
            answer = self._edit("copy", to.encode() if to is not None else None, source._pointer(), path.encode())
        _warn(answer)
        return answer.count

    def resize(self, width: int, height: int, *, plane: Union[None, int, str] = None, anchor: Tuple[int, int] = (-1, -1)
               ) -> List[Finding]:
        """Changes the size of a plane (None: the main one), in cells. `anchor`: which part keeps its position, -1 left or
        upper edge, 0 middle, 1 right or lower edge. Returns what was cut off."""
        return self._edit("resize", _native.options({
            "plane": None if plane is None else str(plane), "width": str(width), "height": str(height),
            "anchor_x": str(anchor[0]), "anchor_y": str(anchor[1])})).findings

    def move(self, paths: Union[str, Sequence[str]] = (),
             by: Union[Tuple[float, float], List[Tuple[float, float]]] = (0, 0), *,
             tiles: Optional[Tuple[int, int, int, int]] = None, plane: Union[None, int, str] = None, unit: str = "own",
             outside: bool = False) -> int:
        """Moves objects, or a region of tiles with what stands in it, to the right and down, as `lvl move` does: patrols, areas,
        paths and addresses go with them, destinations stay or follow their region. All or none: what would leave the level is
        an ArgumentError. Returns the number of objects that moved, plus 1 for a region.

        paths: objects ("planes[1].objects[logic=Officer]"), or several such. by: how far, (right, down), or a list with one for
        each path. tiles: instead of paths a region, (column, row, width, height); plane: its plane (None: the main one).
        unit: of `by`: "own" (that of the objects' x and y), "tiles" or "px"; a region moves by tiles. outside: objects may leave
        the level."""
        texts = [paths] if isinstance(paths, str) else list(paths)
        pairs = by if isinstance(by, list) else [by]
        distances = [",".join(f"{float(n):.9g}" for n in pair) for pair in pairs]
        answer = self._edit("move", _native.texts(texts), _native.options({
            "by": distances, "tiles": tiles, "plane": None if plane is None else str(plane), "unit": unit,
            "outside": outside}))
        _warn(answer)
        return answer.count

    def dump(self, *, compact: bool = False, kept: bool = True, path: Optional[str] = None) -> str:
        """The document as JSON, from which `undump` makes the same file."""
        return self._call("dump", _native.options({"compact": compact, "no_kept": not kept, "path": path})).text

    def table(self, path: str, frame: Optional[str] = None) -> Any:
        """The records of a list as a list of dicts, or as a frame of "pandas" or "polars": table("planes.objects"). Lists
        on the way are walked; a column with the name of each has the index of its item."""
        steps = path.split(".")
        table: Dict[str, List[Any]] = {}
        found = 0

        def add(indexes: Dict[str, int], columns: Mapping[str, Sequence[Any]], count: int) -> None:
            nonlocal found
            found += count
            for name, index in indexes.items():
                table.setdefault(name, []).extend([index] * count)
            for name, values in columns.items():
                table.setdefault(name, []).extend(values)

        def walk(record: Record, at: int, indexes: Dict[str, int]) -> None:
            fields = record._attributes_()
            if steps[at] not in fields:
                raise _records.no_member(type(record), steps[at])
            value = fields[steps[at]].__get__(record, type(record))
            last = at + 1 == len(steps)
            if isinstance(value, RecordItems) and last:
                add(indexes, _records.columns(value), len(value))
            elif isinstance(value, RecordItems):
                for i, item in enumerate(value):
                    walk(item, at + 1, {**indexes, steps[at]: i})
            elif isinstance(value, Record) and not last:
                walk(value, at + 1, indexes)
            elif isinstance(value, Items) and last:
                add(indexes, {"value": list(value)}, len(value))
            else:
                raise ArgumentError(f"{path} is no list of records")

        walk(self, 0, {})
        if frame is None:
            return [dict(zip(table, row)) for row in zip(*table.values())] if table else [{} for _ in range(found)]
        if frame not in ("pandas", "polars"):
            raise ArgumentError(f"frame: expected 'pandas' or 'polars', found {frame!r}")
        import importlib

        return importlib.import_module(frame).DataFrame(table)

    # ---- tools ----

    def info(self, *, counts: bool = False) -> Dict[str, Any]:
        """A summary: size, contents, facts of the format; as `lvl info --json`."""
        out: Dict[str, Any] = json.loads(self._call("info", _native.options({"json": True, "counts": counts})).data)
        return out

    def check(self, *, roundtrip: bool = False, art: Union[None, Path, Sequence[Path]] = None) -> Check:
        """Checks the document as it would be written now."""
        answer = self._look("check", _art(art), {"roundtrip": roundtrip, "sha256": True})
        return Check(json.loads(answer.data)["verdict"], answer.findings, json.loads(answer.data))

    def repair(self, *, recover: bool = False, normalize: bool = False, art: Union[None, Path, Sequence[Path]] = None) -> "Made":
        """A repaired document; `findings` of the result are the repairs."""
        answer = self._call("repair", _native.options({"recover": recover, "normalize": normalize, "art": _art(art)}))
        return Made(answer, self._handle.name)

    def convert(self, form: str, *, allow_loss: bool = False, scale_down: Optional[int] = None,
                art: Union[None, Path, Sequence[Path]] = None) -> "Made":
        """The document in another form of its family ("nw", "gr-v1.03", "v4"), or drawn as a level of another game
        ("sketchy"). `losses` of the result has what cannot be represented; if there is anything, LossError is raised
        unless `allow_loss`. The names of forms are in `lvl.formats()`."""
        if not isinstance(form, str):
            raise TypeError(f"expected the name of a form, such as 'nw' or 'gr-v1.03', found {form!r}")
        answer = self._look("convert", _art(art), {"allow_loss": allow_loss, "scale_down": scale_down}, form.encode())
        return Made(answer, self._handle.name)

    def explain(self, at: Union[None, int, str] = None, *, path: Optional[str] = None, all: bool = False,
                residue: bool = False, depth: Optional[int] = None) -> str:
        """What the bytes of the file mean: one position (0x5f4, "0x5f4/0x697" in a stream), a path, or everything."""
        place = hex(at) if isinstance(at, int) else at
        return self._call("explain", _native.options({
            "at": place, "path": path, "all": all, "residue": residue, "depth": depth})).text

    def spans(self, at: Union[None, int, str] = None, *, path: Optional[str] = None) -> List[Dict[str, Any]]:
        """The same as dicts: offset, length, role, path, name, value …; without arguments every field of the file."""
        place = hex(at) if isinstance(at, int) else at
        answer = self._call("explain", _native.options({
            "at": place, "path": path, "all": at is None and path is None, "json": True}))
        return [json.loads(line) for line in answer.data.splitlines()]

    def scene(self, *, art: Union[None, Path, Sequence[Path]] = None) -> Dict[str, Any]:
        """What the level looks like: layers, things with their rectangles and paths, links."""
        out: Dict[str, Any] = json.loads(self._look("scene", _art(art), {}).data)
        return out

    def _drawing(self, given: Mapping[str, Any]) -> Dict[str, Any]:
        """Words of `lvl render` from the keywords of `render`."""
        words = dict(given)
        things = words.pop("things")
        layer = words.pop("layer")
        if words["plane"] is None:
            words["plane"] = layer
        for name in ("layers", "hide", "overlay"):
            value = words[name]
            if value is not None and not isinstance(value, (str, int)):
                words[name] = ",".join(str(one) for one in value)
        if not things:
            words["hide"] = ",".join(filter(None, [words["hide"], "objects"]))
        for name in ("size", "view"):
            if isinstance(words[name], tuple):
                words[name] = "x".join(str(n) for n in words[name])
        for name in ("size", "scale", "plane", "layers", "hide", "frame", "direction", "overlay"):
            words[name] = str(words[name]) if words[name] is not None and words[name] != "" else None
        words["with"] = [f"{name}={value}" for name, value in (words.pop("choices") or {}).items()]
        words["art"] = _art(words["art"])
        return words

    def render(self, *, art: Union[None, Path, Sequence[Path]] = None, size: Union[None, int, str, Tuple[int, int]] = None,
               scale: Union[None, int, str] = None, region: Optional[Tuple[int, int, int, int]] = None,
               camera: Optional[Tuple[int, int]] = None, view: Union[None, str, Tuple[int, int]] = None,
               plane: Union[None, int, str] = None, layer: Union[None, int, str] = None,
               layers: Union[None, str, Sequence[Union[int, str]]] = None,
               hide: Union[None, str, Sequence[Union[int, str]]] = None,
               overlay: Union[None, str, Sequence[str]] = None, crop: bool = False, schematic: bool = False,
               transparent: bool = False, things: bool = True, frame: Union[None, int, str] = None,
               direction: Optional[str] = None, choices: Optional[Mapping[str, str]] = None, sheet: bool = False,
               apng: bool = False, gif: bool = False) -> Picture:
        """Draws the document, with the options of `lvl render`. `art`: folders and archives with the game's pictures; they
        are also searched around a file that was opened by path. `size`: no side is longer, or a box (800, 600). `scale`: 4,
        or "1/4". `region`: x, y, width, height. `camera`, `view`: what the game shows there, how large. `plane` (or
        `layer`): one plane, by number or name; `layers`, `hide`: which ones are drawn and not, "objects" too; `things`
        False hides objects. `overlay`: grid, attributes, objects, patrol, findings, legend, all. `crop`: without empty borders.

        Of an animation: `frame`, `direction`; `sheet`, `apng` or `gif`: all frames; `choices`: pictures and colours by name
        ({"HEAD": "head3.png"})."""
        given = dict(locals())
        del given["self"]
        words = self._drawing(given)
        answer = self._look("render", words.pop("art"), {**words, "missing": True})
        return Picture(answer.data, answer.width, answer.height, [one.text for one in answer.findings])

    def render_pixels(self, **options: Any) -> Any:
        """What `render` draws, with the same options, as an array of height x width x 4 bytes (red, green, blue, alpha)."""
        known = {**(Document.render.__kwdefaults__ or {})}
        for name in options:
            if name not in known:
                raise TypeError(f"render_pixels has no option {name}")
        known.update(options)
        words = self._drawing(known)
        answer = self._look("render", words.pop("art"), {**words, "pixels": True})
        np = numpy()
        if np is not None:
            return np.frombuffer(bytearray(answer.data), np.uint8).reshape(answer.height, answer.width, 4)
        return memoryview(bytearray(answer.data)).cast("B", [answer.height, answer.width, 4])

    # ---- archives ----

    def list_members(self) -> List[Dict[str, Any]]:
        """The files and folders of an archive: path, size, time, folder."""
        out: List[Dict[str, Any]] = json.loads(self._call("members").data)
        return out

    def read_member(self, path: str, *, allow_damaged: bool = False) -> bytes:
        """The bytes of a file in an archive."""
        return self._call("member", path.encode(), partial=allow_damaged).data

    def write_member(self, path: str, data: bytes) -> None:
        """Sets a file in an archive; the other files keep their bytes."""
        data = bytes(data)
        self._edit("put_member", path.encode(), data, len(data))

    def remove_member(self, path: str) -> None:
        self._edit("put_member", path.encode(), None, 0)

    # ---- notebooks ----

    def _repr_png_(self) -> Optional[bytes]:
        try:
            return self.render(size=800).png
        except LvlError:
            return None

    def _repr_html_(self) -> str:
        import base64
        import html

        text = self._call("info", _native.options({})).text
        png = self._repr_png_()
        picture = f'<img alt="" src="data:image/png;base64,{base64.b64encode(png).decode()}">' if png else ""
        return f"<div>{picture}<pre>{html.escape(text)}</pre></div>"


class Made:
    """A new document that a tool made, and what it found.

    `document`: the new document. `findings`, which `losses` and `changes` are, too: what convert could not represent,
    what repair changed, or where a merge has conflicts. `conflicts`: how many, of a merge."""

    def __init__(self, answer: Answer, name: str) -> None:
        self.document: Any = _wrap(answer, name)
        self.document.findings = []
        self.findings: List[Finding] = answer.findings
        self.conflicts: int = answer.count
        self._data = answer.data

    @property
    def losses(self) -> List[Finding]:
        return self.findings

    @property
    def changes(self) -> List[Finding]:
        return self.findings

    def to_bytes(self) -> bytes:
        return self._data

    def save(self, path: Path) -> None:
        self.document.save(path)

    def __repr__(self) -> str:
        return f"<Made {self.document.format}: {len(self.findings)} findings, {self.conflicts} conflicts>"


def diff(a: Document, b: Document, *, summary: bool = False) -> Diff:
    """What changed from `a` to `b`: records, items of lists, regions of grids, lines of scripts."""
    with _Locked(a, b):
        text = _native.call("diff", a._pointer(), b._pointer(), _native.options({"summary": summary}))
        lines = _native.call("diff", a._pointer(), b._pointer(), _native.options({"json": True}))
    return Diff(bool(text.count), text.text, [json.loads(line) for line in lines.data.splitlines()])


def merge(base: Document, ours: Document, theirs: Document, *, prefer: str = "ours", markers: bool = False) -> Made:
    """Applies to `ours` what `theirs` changed since `base`, as a new document (`document` of the result). `conflicts`
    counts what both changed differently; `findings` names each, and `prefer` wins: "ours", "theirs" or "base"."""
    with _Locked(base, ours, theirs):
        answer = _native.call("merge", base._pointer(), ours._pointer(), theirs._pointer(),
                              _native.options({"prefer": prefer, "markers": markers}))
    return Made(answer, ours._handle.name)


class Row(Dict[str, Any]):
    """What `scan_bytes` found in a file: a dict."""

    def to_arrow(self) -> Any:
        """The row as a table of pyarrow, which has to be installed."""
        return rows_to_arrow([self])


def rows_to_arrow(rows: Sequence[Mapping[str, Any]]) -> Any:
    """Rows of `scan_bytes` as a table of pyarrow. A column for each name; what is a list or a dict is JSON text, so that
    tables of any files have the same types."""
    import importlib

    names = list(dict.fromkeys(name for row in rows for name in row))
    texts = {name for row in rows for name, value in row.items() if isinstance(value, (str, list, dict))}

    def cell(value: Any, text: bool) -> Any:
        return value if value is None or isinstance(value, str) or not text else json.dumps(value)

    return importlib.import_module("pyarrow").table(
        {name: [cell(row.get(name), name in texts) for row in rows] for name in names})


def scan_bytes(name: str, data: bytes, *, limits: Optional[Mapping[str, int]] = None, check: bool = False) -> Row:
    """A summary of one file, as `lvl info --json`: a pure function of its arguments, for Dask, Spark or Ray. A file that
    cannot be read is a dict with "error". `check`: the file is checked, too: "verdict" is that of `lvl check`, "errors" and
    "warnings" are numbers."""
    try:
        options = _native.options(_settings(None, None, None, limits)) if limits else None
        row = Row(json.loads(_native.scan(bytes(data), len(data), os.fsencode(name), options)))
        if check:
            with open(data, name=name, limits=limits) as document:
                found = document.check()
            row["verdict"] = found.verdict
            for kind in ("error", "warning"):
                row[kind + "s"] = sum(one.severity in (kind, "fatal" if kind == "error" else kind) for one in found.findings)
        return row
    except LvlError as error:
        return Row({"file": name, "error": type(error).__name__, "message": str(error)})


def list_archive(path: Path) -> List[Dict[str, Any]]:
    """The files and folders of an archive of a game, or of a zip, 7z, rar, tar …: path, size, time, folder. `lvl.open`
    opens one of them as "ARCHIVE//PATH". The path may name a folder in it, or an archive in it."""
    out: List[Dict[str, Any]] = json.loads(_native.call("list", os.fsencode(os.fspath(path))).data)
    return out


def formats() -> List[Dict[str, Any]]:
    """The formats with their tables of fields, as the library describes them."""
    out: List[Dict[str, Any]] = json.loads(_native.call("formats").data)
    return out


def finding_kinds(id: Optional[str] = None) -> List[Dict[str, Any]]:
    """Kinds of findings: id, meaning, severity in each profile, what repair does."""
    answer = _native.call("findings", id.encode() if id else None)
    return [json.loads(line) for line in answer.data.splitlines()]
