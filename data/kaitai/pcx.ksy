# Made by scripts/kaitai from pcx.ksy.in and lvl's tables: do not edit.
meta:
  id: pcx
  title: PCX picture (tiles of WAP32 games)
  file-extension: pcx
  endian: le
doc-ref: docs/formats/pcx.md
seq:
  - id: manufacturer
    type: u1
    doc: "10. Default: 10."
  - id: version
    type: u1
    doc: "5: 256 colours or 24 bits; 0, 2, 3, 4: 16 colours. Default: 5."
  - id: encoding
    type: u1
    enum: pcx_encoding
    doc: "Whether rows are runs. Default: runs."
  - id: bits
    type: u1
    doc: "Bits of a pixel in each plane. Default: 8."
  - id: x_min
    type: u2
    doc: "Left edge."
  - id: y_min
    type: u2
    doc: "Top edge."
  - id: x_max
    type: u2
    doc: "Right edge, inside the picture."
  - id: y_max
    type: u2
    doc: "Bottom edge, inside the picture."
  - id: dpi_x
    type: u2
    doc: "Dots an inch, or the screen's width."
  - id: dpi_y
    type: u2
    doc: "Dots an inch, or the screen's height."
  - id: ega
    size: 48
    doc: "A palette of 16 colours, for pictures of at most 4 bits."
  - id: unknown_40
    type: u1
    doc: "Reserved, 0."
  - id: planes
    type: u1
    doc: "1: palette indices; 3 of 8 bits: red, green, blue; else planes with some bits of the index. Default: 1."
  - id: line_bytes
    type: u2
    doc: "A row of one plane; at least the width."
  - id: palette_kind
    type: u2
    enum: pcx_palette_kind
    doc: "Colours or grays. Default: color."
  - id: screen_width
    type: u2
    doc: "Size of the screen it was made on."
  - id: screen_height
    type: u2
    doc: "Size of the screen it was made on."
  - id: unknown_4a
    size: 54
    doc: "Zeros."
  - id: runs
    doc: Each row from the top, each plane of it (red, green, blue), line_bytes bytes.
    type: 'run(_index == 0 ? 0 : runs[_index - 1].total)'
    repeat: until
    repeat-until: _.total >= height * planes * line_bytes or _io.eof
instances:
  width:
    value: x_max - x_min + 1
  height:
    value: y_max - y_min + 1
  colors:
    if: planes == 1
    pos: _io.size - 768
    type: color
    repeat: expr
    repeat-expr: 256
types:
  run:
    params:
      - id: before
        type: s4
    seq:
      - id: code
        type: u1
      - id: repeated
        type: u1
        if: is_run
    instances:
      is_run:
        value: _root.encoding == pcx_encoding::runs and code >= 0xc0
      count:
        value: 'is_run ? code - 0xc0 : 1'
      value:
        value: 'is_run ? repeated : code'
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
enums:
  pcx_encoding:
    0: "none"
    1: "runs"
  pcx_palette_kind:
    1: "color"
    2: "gray"
