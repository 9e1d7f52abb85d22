# Made by scripts/kaitai from pid.ksy.in and lvl's tables: do not edit.
meta:
  id: pid
  title: WAP32 sprite or tile (Claw, Gruntz, Get Medieval)
  file-extension: pid
  endian: le
doc-ref: docs/formats/pid.md
seq:
  - id: id
    type: u4
    doc: "10; 0 and 99999 occur; the game ignores it. Default: 10."
  - id: flags
    type: u4
    doc: "How the pixels are encoded and drawn."
  - id: width
    type: s4
    doc: "Width of the picture."
  - id: height
    type: s4
    doc: "Height of the picture."
  - id: offset_x
    type: s4
    doc: "Moves the sprite right from being centred on its object."
  - id: offset_y
    type: s4
    doc: "Moves the sprite down."
  - id: fill
    type: u4
    doc: "With flag fill: the index (low byte) that skipped pixels take."
  - id: unknown_1c
    type: u4
    doc: "Always 0."
  - id: runs
    doc: The pixels, row by row from the top, up to width times height.
    type: 'run(_index == 0 ? 0 : runs[_index - 1].total)'
    repeat: until
    repeat-until: _.total >= width * height or _io.eof
instances:
  skip_runs:
    value: (flags & 0x20) != 0
  has_palette:
    value: (flags & 0x80) != 0
  colors:
    if: has_palette
    pos: _io.size - 768
    type: color
    repeat: expr
    repeat-expr: 256
types:
  run:
    params:
      - id: before
        doc: Pixels of the runs before this one.
        type: s4
    seq:
      - id: code
        type: u1
      - id: value
        doc: The palette index of all its pixels.
        type: u1
        if: not _root.skip_runs and code >= 0xc0
      - id: literal
        doc: A palette index for each pixel.
        size: code
        if: _root.skip_runs and code < 0x80
    instances:
      count:
        value: '_root.skip_runs ? (code >= 0x80 ? code - 0x80 : code) : (code >= 0xc0 ? code - 0xc0 : 1)'
      skipped:
        value: _root.skip_runs and code >= 0x80
      total:
        value: before + count
  color:
    seq:
      - id: red
        type: u1
        doc: "Red, 0 to 255."
      - id: green
        type: u1
        doc: "Green, 0 to 255."
      - id: blue
        type: u1
        doc: "Blue, 0 to 255."
