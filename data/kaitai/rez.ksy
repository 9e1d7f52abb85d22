# Made by scripts/kaitai from rez.ksy.in and lvl's tables: do not edit.
meta:
  id: rez
  title: Monolith resource archive (CLAW.REZ, GRUNTZ.REZ)
  file-extension: rez
  endian: le
  encoding: windows-1252
doc-ref: docs/formats/rez.md
seq:
  - id: line_end_0
    type: u2
    doc: "CR LF; the game checks the CR. Default: 2573."
  - id: banner
    type: str
    size: 60
    pad-right: 0
    doc: "Program that wrote it; padded with blanks."
  - id: line_end_1
    type: u2
    doc: "CR LF; the game checks the LF. Default: 2573."
  - id: title
    type: str
    size: 60
    pad-right: 0
    doc: "Title; padded with blanks."
  - id: line_end_2
    type: u2
    doc: "CR LF. Default: 2573."
  - id: text_end
    type: u1
    doc: "Ends a text for DOS; the game checks it. Default: 26."
  - id: version
    type: u4
    doc: "1. Default: 1."
  - id: root_pos
    type: u4
  - id: root_size
    type: u4
    doc: "Size of the root directory."
  - id: root_time
    type: u4
    doc: "Time of the root directory; often junk."
  - id: next_write
    type: u4
    doc: "Where the payloads end."
  - id: time
    type: u4
    doc: "Last change, seconds since 1970."
  - id: largest_keys
    type: u4
    doc: "The most keys that a file has."
  - id: largest_dir
    type: u4
    doc: "The longest name of a directory, with its NUL."
  - id: largest_file
    type: u4
    doc: "The longest name of a file, with its NUL."
  - id: largest_comment
    type: u4
    doc: "The longest comment, with its NUL."
  - id: is_sorted
    type: u1
    doc: "Each directory's payloads lie together. Default: 1."
instances:
  root:
    pos: root_pos
    size: root_size
    type: directory
types:
  directory:
    seq:
      - id: entries
        type: entry
        repeat: eos
  entry:
    seq:
      - id: kind
        type: u4
        enum: entry_kind
        doc: "File or directory."
      - id: pos
        type: u4
      - id: size
        type: u4
        doc: "Size of the payload or directory."
      - id: time
        type: u4
        doc: "Last change, seconds since 1970."
      - id: file
        type: file_head
        if: not is_dir
      - id: name
        type: strz
      - id: comment
        type: strz
        if: not is_dir
      - id: keys
        type: u4
        repeat: expr
        repeat-expr: file.key_count
        if: not is_dir
    instances:
      is_dir:
        value: kind == entry_kind::dir
      data:
        if: not is_dir
        io: _root._io
        pos: pos
        size: size
      entries:
        if: is_dir
        io: _root._io
        pos: pos
        size: size
        type: directory
  file_head:
    seq:
      - id: id
        type: u4
      - id: type
        doc: The extension with its characters reversed, then zeros.
        type: str
        size: 4
        pad-right: 0
      - id: key_count
        type: u4
enums:
  entry_kind:
    0: "file"
    1: "dir"
