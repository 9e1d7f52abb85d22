/*
 * lvl.d.ts: level files of old 2D games (Graal, Sketchy Maze, WAP32) in browsers, Node and workers.
 *
 * An instance of the module belongs to one thread. A document uses memory of the module until `close()`, or until it is
 * garbage-collected. Pictures, texts and objects that a function returned are copies and stay valid. All functions
 * throw LvlError: also for arguments that are missing or out of range, for functions of the caller (`files`) that throw
 * (status "io"; the exception is `cause`), and for those that return promises. A trap (a RuntimeError) is a bug in lvl: discard the instance and load another one.
 */

export type Bytes = Uint8Array | ArrayBuffer | ArrayBufferView | string;

/** Bytes and pixels in memory of their own, as `Blob` and `ImageData` want them. */
export type OwnBytes = ReturnType<Uint8Array['slice']>;
export type Pixels = ReturnType<Uint8ClampedArray['slice']>;

export type Status = 'memory' | 'limit' | 'format' | 'foreign' | 'io' | 'argument' | 'loss' | 'missing'
  | 'unsupported'
  | 'stopped';

export type Severity = 'note' | 'warning' | 'error' | 'fatal';

/** A finding of the reader, a check, a repair or a conversion (then it is a loss). */
export interface Finding {
  /** Stable: "wwd.checksum.mismatch"; `findingKinds()` explains it. */
  id: string;
  severity: Severity;
  /** Bytes in the file, or in the stream at `outer`; null: unknown. */
  offset: number | null;
  length: number | null;
  outer?: number;
  /** Where in the document: "planes[2].objects[17].name"; "" or absent: nowhere in particular. */
  path?: string;
  /** The file in an archive that it is about: "levels/hill.level". */
  member?: string;
  text: string;
}

export class LvlError extends Error {
  status: Status;
  /** The same as `status`. */
  code: Status;
  findings: Finding[];
  /** Id and path of the finding that made it fail; its text is in the message. */
  id?: string;
  path?: string;
}

/** The files that a level needs: pictures, archives, other levels. Paths have "/" between their parts. */
export interface FileSource {
  kind(path: string): 'file' | 'folder' | undefined;
  /** Called when the bytes are needed; synchronous (in a worker: FileReaderSync). undefined: there is no such file. */
  read(path: string): Bytes | null | undefined;
  /** Names in a folder, files and folders. */
  list(path: string): string[];
}

/** Files by path, with bytes or a function that returns them on demand. Iterates over its paths. */
export class FileSet implements FileSource, Iterable<string> {
  constructor(entries?: Record<string, Bytes | (() => Bytes)> | Iterable<[string, Bytes | (() => Bytes)]>);
  add(path: string, value: Bytes | (() => Bytes)): this;
  kind(path: string): 'file' | 'folder' | undefined;
  read(path: string): Bytes | null | undefined;
  list(path: string): string[];
  [Symbol.iterator](): IterableIterator<string>;
}

/** The files of a zip archive. */
export interface Zip extends FileSet {
  /** The archive with new contents of some members; the other members are copied byte for byte. */
  save(changes?: Record<string, Bytes> | Map<string, Bytes>): OwnBytes;
}

/** As in lvl_limits; missing ones have their default. */
export interface Limits {
  inputBytes?: number;
  memoryBytes?: number;
  cells?: number;
  items?: number;
  depth?: number;
  inflateRatio?: number;
  findings?: number;
  work?: number;
}

export interface OpenOptions {
  /** "strict", "game" (the default), "salvage", or a program of `Format.programs`. */
  profile?: string;
  /** "windows-1252" (the default), "windows-1250", "windows-1251", "utf-8". */
  codepage?: string;
  /** Id of a format; by default it is recognized by the bytes. */
  format?: string;
  /** Files around the level. `name` is its path among them, which decides what is beside and above it. */
  files?: FileSource | Record<string, Bytes | (() => Bytes)> | Iterable<[string, Bytes | (() => Bytes)]>;
  /** Folders, archives and pictures among `files` that are searched first ("" is the top). */
  art?: Iterable<string>;
  /** Another state of the same file, whose files and decoded pictures are used; `files` and `art` must be the same. */
  artOf?: Doc;
  /** Checks the document while it is read (`Doc.verdict`), which is faster than `check` afterwards. Not of a dump. */
  verdict?: boolean;
  limits?: Limits;
}

export interface Field {
  name: string;
  kind: 'int' | 'real' | 'text' | 'bytes' | 'record' | 'list' | 'cells';
  /** derived: computed from other fields, cannot be set; spelling: how the file writes its content. */
  role: 'value' | 'derived' | 'unknown' | 'spelling';
  prose?: string;
  unit?: string;
  /** What it is about; absent: something else. */
  group?: 'place' | 'look' | 'behaviour';
  /** One of the fields that people change most: shown before the others of its group. */
  common?: true;
  /** What it is in a level, the same words in all formats: of a thing "x", "y", "id", "picture" …; of a layer
   * "cell_width" …; of the root the lists "layers" and "objects", "start_x" … (LVL_ROLE_… in lvl/record.h). */
  roles?: string[];
  /** Values with names; for flags, their bits. */
  names?: {value: number; name: string; prose?: string}[];
  flags?: true;
  /** A text with several lines (a script). */
  lines?: true;
  /** A list whose length cannot be changed. */
  fixed?: true;
  default?: number;
  min?: number;
  max?: number;
  /** The text names a sound (`sound`). In other fields the game's book says that. */
  use?: 'sound';
  /** Path of the list into which the value is an index. */
  ref?: string;
  /** Records and lists of records: the name of their table. */
  table?: string;
  /** Lists: the kind of the items. */
  item?: string;
  cell_names?: {value: number; symbol: string; name?: string; prose?: string}[];
  /** Exists only while that field has one of these values. */
  when?: {field: string; values: number[]};
}

export interface Table {
  name: string;
  prose?: string;
  /** Name of the field that identifies an item to people. */
  label?: string;
  fields: Field[];
}

export interface Format {
  id: string;
  family: string;
  title: string;
  /** The media type, of formats that systems know by one. */
  mime?: string;
  extensions: string[];
  can: ('read' | 'write' | 'check' | 'repair' | 'render' | 'extract' | 'convert')[];
  /** The forms for `convert`. */
  forms?: {name: string; title: string; extension: string}[];
  programs?: {name: string; title: string; prose: string}[];
  /** Tables of records by name, the root's first. */
  tables: Record<string, Table>;
}

export type Rect = [left: number, top: number, width: number, height: number];

export interface Layer {
  name: string;
  z: number;
  main: boolean;
  /** The game does not draw it. */
  hidden: boolean;
  wrap_x: boolean;
  wrap_y: boolean;
  columns: number;
  rows: number;
  cell_width: number;
  cell_height: number;
  /** Parallax, percent of the main layer's movement. */
  move_x: number;
  move_y: number;
  shift_x: number;
  shift_y: number;
}

export interface Thing {
  /** Path of its record; null: it has none in this document (a level of a world, the player's start). */
  path: string | null;
  kind: string;
  label: string;
  picture: string;
  x: number;
  y: number;
  z: number;
  hidden: boolean;
  /** The game drops it when it loads the level. */
  dropped: boolean;
  /** Its picture was not found. */
  missing: boolean;
  /** The rectangle in which it is drawn. */
  rect: Rect;
}

export interface Link {
  /** File name. */
  target: string;
  way: 'door' | 'left' | 'up' | 'right' | 'down' | 'place';
  path: string;
  /** The rectangle of the link; for a cell of a world `column` and `row` instead. */
  rect?: Rect;
  column?: number;
  row?: number;
}

/** The appearance of a document. Numbers are px of the main layer, from its top left corner. */
export interface Scene {
  /** Size of the whole picture, unscaled. */
  width: number;
  height: number;
  title: string;
  /** The part that the whole picture shows, if it is not the main layer from end to end. */
  bounds: Rect | null;
  start: [number, number];
  /** Position of the game's own 0, 0. */
  zero: [number, number];
  free_camera: boolean;
  has_art: boolean;
  /** The number of levels of a world, and of those that were not found. */
  files: number;
  missing_files: number;
  missing_tiles: number;
  missing_things: number;
  layers: Layer[];
  /** In drawing order. */
  things: Thing[];
  arrows: {kind: string; from: [number, number]; to: [number, number]}[];
  links: Link[];
}

/** The frame of an animation, and its choices: {head: "head3.png", skin: "orange"}. */
export interface FrameOptions {
  frame?: number;
  direction?: number;
  choices?: Record<string, string>;
}

export interface Animation {
  frames: number;
  directions: number;
  loops: boolean;
  has_art: boolean;
  bounds: Rect;
  /** ms, one for each frame. */
  durations: number[];
  /** Names of the directions; may be empty, like the next. */
  names: string[];
  frame_names: string[];
}

export interface RenderOptions extends FrameOptions {
  /**
   * whole: the main layer from end to end (the default); layer: one layer by itself; camera: what the game
   * shows.
   */
  view?: 'whole' | 'layer' | 'camera';
  /** view "layer": its index. */
  layer?: number;
  /**
   * view "camera": its centre in the game's px (default: the player's start) and size (default: 1024 x 768).
   */
  camera?: [number, number];
  viewSize?: [number, number];
  /** A part of the picture, in px before scaling. Labels are where the whole picture has them. */
  region?: Rect;
  /** Whole numbers, or 1/2, 1/3 …; smaller pictures are averages. */
  scale?: number;
  /** Instead of scale: shrink until neither side is longer. */
  size?: number;
  /** By index: whether to draw the layer; null or absent: as the game does. Those that there are not are left out. */
  layers?: (boolean | null | undefined)[] | Record<number, boolean>;
  things?: boolean;
  schematic?: boolean;
  /** Places where nothing is drawn are transparent instead of black. */
  transparent?: boolean;
  overlays?: Overlay | Overlay[];
}

export type Overlay = 'grid' | 'attributes' | 'objects' | 'patrol' | 'findings' | 'legend' | 'all';

/** RGBA: `new ImageData(picture.data, picture.width, picture.height)`. */
export interface Picture {
  width: number;
  height: number;
  data: Pixels;
}

export interface Cell {
  value: number;
  /** Nothing is drawn there. */
  empty: boolean;
  /** "none", "clear", "solid", "ground" (from above), "climb" …, or the game's own word ("fire"). */
  look: string;
  /** The class of a part in the cell's middle, if it differs. */
  inner?: string;
}

export interface ChangedPlace {
  kind: 'added' | 'removed' | 'changed';
  /** A thing; else cells. */
  thing: boolean;
  rect: Rect;
}

export interface CheckResult {
  file: string;
  format: string | null;
  sha256: string;
  /** `faulty`: whole and readable, but the game misbehaves or crashes. */
  verdict: 'sound' | 'faulty' | 'damaged' | 'unreadable' | 'foreign';
  /** Bytes that belong to nothing; bytes of kept spelling. */
  residue: number;
  kept: number;
  roundtrip?: boolean;
  findings: Finding[];
}

/** A range of bytes. Of nested spans, the innermost is the last. */
export interface Span {
  offset: number;
  length: number;
  /** Offset in the file of the compressed stream that contains these bytes; absent: they are in the file itself. */
  outer?: number;
  role: string;
  path: string;
  name: string;
  called?: string;
  value?: unknown;
  /** The first bytes, as hexadecimal digits. */
  raw: string;
  unit?: string;
  prose?: string;
}

/** The bytes of the file, or of what a stream in it decompresses to. Offsets in it count from `base`. */
export interface Space {
  id: number;
  base: number;
  size: number;
  /** Where its stream is: "0x5f4"; `explain` takes "0x5f4/0x697" for a byte in it. "": the file. */
  place: string;
  name: string;
  /** The name of the archive's member that it is, if it is one. */
  called: string;
}

export interface ExplainOptions {
  /** The field at an offset: 0x1a3, "0x5f4/0x697" (in the stream at 0x5f4), "0x8.5" (a bit). */
  at?: number | string;
  /** Every field of what the path finds. */
  path?: string;
  /** Only bytes that belong to nothing. */
  residue?: boolean;
  /** Every field of the whole file; by default a line for each record, down to `depth` levels (0: all). */
  all?: boolean;
  depth?: number;
  bits?: boolean;
}

export type Change = {change: 'set' | 'insert' | 'remove' | 'move' | 'cells' | 'lines'; path: string}
  & Record<string, unknown>;

export interface Member {
  path: string;
  size: number;
  /** Seconds since 1970 UTC; 0: unknown. */
  time: number;
  folder: boolean;
}

export interface Doc {
  /** As given to `open`. */
  readonly name: string;
  /** Id of its format, and the operations that it supports. */
  readonly format: string;
  readonly can: Format['can'];
  /** Findings of the reader; `check` has more. */
  readonly findings: Finding[];
  /** Whether it is sound, if `open` was asked for it; then `findings` has those of the check, too. */
  readonly verdict?: 'sound' | 'faulty' | 'damaged' | 'unreadable';
  readonly closed: boolean;
  close(): void;
  [Symbol.dispose](): void;

  /** The value at a path as in a dump; an array for a path that finds several ("objects[*].x"); undefined if it
   * finds nothing. "": the whole document. A path that the format does not have is an error. */
  get(path?: string): any;
  /** Path and value of everything that a path finds; an empty array if that is nothing. */
  getAll(path: string): {path: string; value: any}[];
  /** The same as text, as `lvl get` prints it. */
  getText(path: string): string;
  /** Sets a value, or several at once: an object of paths and values, or assignments as for `lvl set`
   * ("objects[logic=Rat].health+=2"). All or none. Lists grow with "list[+]", "list[+2]". Returns the number of
   * changed places. */
  set(path: string, value: unknown): number;
  set(changes: Record<string, unknown> | string[]): number;
  /** Sets values back to their default: removes items of lists, empties lists and texts. All or none. */
  unset(...paths: string[]): number;
  /**
   * Copies what `path` finds in another document: items are added to the list `to` ("": the list with that path here),
   * with ids that are free here and the links between them; cells go to the place `to`. All or none. The findings
   * say which references lead to something else here. Objects of several paths are copied together: what one of them
   * names among the others is the copy. With `by`, px to the right and down, the copies of objects move as by `move`.
   */
  copy(from: Doc, path: string | string[], to?: string, options?: {by?: [number, number]; outside?: boolean}):
    {copied: number; findings: Finding[]};
  /**
   * Moves objects, by px to the right and down, all or none. What belongs to an object moves with it, and what names it by its tile
   * follows, as the game's book says: ranges, paths, switches. Without `outside`, none may leave the level.
   */
  move(paths: string | string[], dx: number, dy: number, options?: {outside?: boolean}): {moved: number; findings: Finding[]};
  /** Moves each object by its own distance, together: [path, dx, dy], as `move` does. */
  moveEach(moves: [path: string, dx: number, dy: number][], options?: {outside?: boolean}): {moved: number; findings: Finding[]};
  /**
   * Changes the size of the main plane in cells, or of `plane` (an index or a name; "*": all). `anchor`: which part keeps its
   * place: -1 the left or upper edge, 0 the middle, 1 the right or lower edge. The findings name what is cut off.
   */
  resize(width: number, height: number, options?: {plane?: string; anchor?: [number, number]}):
    {changed: number; findings: Finding[]};
  /** `kept: false` leaves out the spelling of the file. */
  dump(options?: {path?: string; kept?: boolean}): any;
  dumpText(options?: {path?: string; compact?: boolean; kept?: boolean}): string;

  /** The output of `lvl info --json`; `counts`: also what only decoding shows. */
  info(options?: {counts?: boolean}): Record<string, any>;
  /** `summary`: one line, without the path. */
  infoText(options?: {counts?: boolean; summary?: boolean}): string;
  /** Checks the document as it would be saved now. */
  check(options?: {roundtrip?: boolean}): CheckResult;
  /** The bytes of the sound that the document names so: by its key in a WWD, else by its file's name (of the files it was opened with). */
  sound(name: string): Uint8Array;
  /** All findings as text, one a line. */
  checkText(options?: {roundtrip?: boolean}): string;
  /** Explains the bytes from which the document was read (edits do not change them: open the result of `save`). */
  explain(options?: ExplainOptions | number | string): Span[];
  explainText(options?: ExplainOptions | number | string): string;
  /** The file (id 0) and the compressed streams in it, from which the document was read. */
  spaces(): Space[];
  /** The decompressed bytes of a stream. */
  space(id: number): OwnBytes;
  /** The differences from this document to the other one. */
  diff(other: Doc, options?: {summary?: boolean}): {different: boolean; changes: Change[]};
  diffText(other: Doc, options?: {summary?: boolean}): string;

  /** The file: exactly the bytes that were read, if nothing changed. */
  save(): OwnBytes;
  /** Throws status "loss", with the losses as findings, if there are any and they are not allowed. */
  convert(form: string, options?: {allowLoss?: boolean}): {bytes: OwnBytes; losses: Finding[]};
  /** The repaired file and the list of repairs; the document is unchanged. */
  repair(options?: {recover?: boolean; normalize?: boolean}): {bytes: OwnBytes; findings: Finding[]};

  /**
   * The path in this document of what `path` names in `before`, another state of it (before an edit, or read from an
   * older file): "actors[3].point" may have become "actors[5].point". undefined: the item is gone. An item that was
   * changed is found by its identity (an id, a name, a place), by what is equal, or by what is around it.
   */
  follow(path: string, before: Doc): string | undefined;
  /** The same for many paths at once. */
  follow(paths: readonly string[], before: Doc): (string | undefined)[];

  /** Files in an archive, a pack or a level. */
  members(): Member[];
  /** Of a damaged member: the part that could be read, and the reason (lvl.member.damaged) as a finding. */
  member(path: string): {bytes: OwnBytes; findings: Finding[]};
  /** With the options of this document, unless others are given. Its `findings` begin with those of `member`. */
  openMember(path: string, options?: OpenOptions): Doc;
  putMember(path: string, bytes: Bytes): void;
  removeMember(path: string): void;

  /** Cached until the document is changed or another frame is requested. */
  scene(options?: FrameOptions): Scene;
  /** The same as JSON, without `width` and `height`. */
  sceneText(options?: FrameOptions): string;
  render(options?: RenderOptions): Picture;
  renderSize(options?: RenderOptions): {width: number; height: number};
  /** A picture of a game (PID, PCX, BMP) as a PNG. */
  png(): OwnBytes;
  /** Pictures of the layer's cell values from `first` on, `columns` to a row: the tile set, to choose from. */
  tiles(options?: {layer?: number; first?: number; columns?: number; rows?: number}): Picture;
  /** A cell of a layer of the scene: its value and its behaviour. */
  cell(layer: number, column: number, row: number): Cell;
  /** Places where the picture of the other document differs from this one's; px of the other's main layer. */
  changedPlaces(other: Doc): ChangedPlace[];
  /** The things at this place, the topmost first. */
  thingsAt(x: number, y: number, options?: FrameOptions): Thing[];
  linksAt(x: number, y: number, options?: FrameOptions): Link[];
  animation(options?: {choices?: Record<string, string>}): Animation;
}

export interface FindingKind {
  id: string;
  meaning: string;
  [more: string]: unknown;
}

export interface Lvl {
  readonly version: string;
  /** Size of the module's memory, which never shrinks. */
  readonly memoryBytes: number;
  formats(): Format[];
  /**
   * The bytes of a new, empty level that the game loads: of a format and, if given, one of its forms, for a file with
   * this extension. Sizes are cells of the main plane, of drawings px; 0: as usual. With `like` it has the planes,
   * palette, tile properties and settings of that document, but neither its cells nor its objects.
   */
  create(format: string, options?: {form?: string; extension?: string; width?: number; height?: number; like?: Doc}):
    OwnBytes;
  findingKinds(): FindingKind[];
  /** JSON Schema of the dumps of a format. */
  schema(format: string): object;
  /** Reads a file. Damage is not an error: see `findings` and `check`. Throws status "foreign" for an unknown format. */
  open(bytes: Bytes, name?: string, options?: OpenOptions): Doc;
  open(bytes: Bytes, options?: OpenOptions & {name?: string}): Doc;
  undump(dump: object | string, name?: string, options?: OpenOptions): Doc;
  /** The files in a zip archive, each inflated on demand. */
  unzip(bytes: Bytes): Zip;
}

/** Loads lvl.wasm and lvl-texts.json: from the folder of this module, or from the arguments (bytes, a compiled module, a
 * response, a URL). Without the texts of a given module, prose of fields, meanings of findings and the texts of rules
 * of games are empty. Throws status "format" for the texts of another build. */
export function load(source?: Bytes | WebAssembly.Module | Response | URL | string
  | Promise<Bytes | WebAssembly.Module | Response>, texts?: Bytes | Response | URL | string | Promise<Bytes | Response>):
  Promise<Lvl>;
