# Made by scripts/kaitai from pal.ksy.in and lvl's tables: do not edit.
meta:
  id: pal
  title: WAP32 palette (Claw, Gruntz, Get Medieval)
  file-extension: pal
  endian: le
doc-ref: docs/formats/pal.md
seq:
  - id: colors
    type: color
    repeat: expr
    repeat-expr: _io.size / 3
types:
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
