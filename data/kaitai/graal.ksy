# Made by scripts/kaitai from graal.ksy.in and lvl's tables: do not edit.
meta:
  id: graal
  title: Graal level, binary (Zelda Online, Graal Online)
  file-extension: [graal, zelda]
  endian: le
  bit-endian: le
  encoding: windows-1252
doc: |
  The tables have no fixed part of a record here, so all of this is written by hand.
doc-ref: docs/formats/graal.md
seq:
  - id: version
    type: str
    size: 8
  - id: layer_code
    doc: 32 + the number of layers.
    type: u1
    if: version == "GR-V1.05"
  - id: layers
    type: layer
    repeat: expr
    repeat-expr: layer_count
  - id: links
    doc: Words, separated by blanks; the last line is `#`.
    type: str
    terminator: 0x0a
    repeat: until
    repeat-until: _ == "#"
  - id: baddies
    doc: The last one is 255, 255, 255.
    type: baddy
    repeat: until
    repeat-until: _.x == 255 and _.y == 255 and _.kind == 255
  - id: npcs
    doc: The last one is the line `#`.
    type: npc
    terminator: 0x0a
    repeat: until
    repeat-until: _.is_end
    if: has_npcs
  - id: chests
    doc: The last one is the line `#`.
    type: chest
    terminator: 0x0a
    repeat: until
    repeat-until: _.is_end
    if: has_chests
  - id: signs
    type: sign
    terminator: 0x0a
    eos-error: false
    repeat: until
    repeat-until: _.is_heights or _io.eof
    if: not _io.eof
  - id: heights
    doc: 81 numbers, and a line `HEIGHTSEND`.
    type: str
    size-eos: true
instances:
  is_gr:
    value: version.substring(0, 2) == "GR"
  number:
    doc: 2 of Z3-V1.02.
    value: version.substring(7, 8).to_i
  has_npcs:
    value: is_gr
  has_chests:
    value: is_gr and number >= 1
  width:
    doc: Bits of a packet of tiles.
    value: 'is_gr ? (number >= 2 ? 13 : 12) : (number >= 3 ? 12 : 11)'
  layer_count:
    value: 'version == "GR-V1.05" ? layer_code - 32 : 1'
types:
  layer:
    seq:
      - id: runs
        type: 'run(_index == 0 ? 0 : runs[_index - 1].total)'
        repeat: until
        repeat-until: _.total >= 4096
      - id: spare
        doc: Never there. What follows bits begins at a whole byte; compilers see that only of fields of one type.
        type: b1
        if: false
      - id: end
        size: 0
  run:
    params:
      - id: before
        doc: Tiles of the runs before this one.
        type: s4
    seq:
      - id: code
        type: packet
      - id: tiles
        doc: One tile, or two that alternate.
        type: packet
        repeat: expr
        repeat-expr: 'is_pair ? 2 : 1'
        if: is_run
    instances:
      is_run:
        value: (code.value & (1 << (_root.width - 1))) != 0
      is_pair:
        value: is_run and (code.value & 0x100) != 0
      count:
        value: 'is_run ? code.value & 0xff : 1'
      total:
        value: 'before + (is_pair ? 2 * count : count)'
  packet:
    seq:
      - id: bits11
        type: b11
        if: _root.width == 11
      - id: bits12
        type: b12
        if: _root.width == 12
      - id: bits13
        type: b13
        if: _root.width == 13
    instances:
      value:
        value: '_root.width == 11 ? bits11 : _root.width == 12 ? bits12 : bits13'
  baddy:
    seq:
      - id: x
        type: u1
      - id: y
        type: u1
      - id: kind
        type: u1
      - id: texts
        doc: From Z3-V1.04 on attack, hurt and win, with backslashes between them.
        type: str
        terminator: 0x0a
  npc:
    seq:
      - id: x_code
        doc: x + 32.
        type: u1
      - id: y_code
        type: u1
        if: not is_end
      - id: image
        type: str
        terminator: 0x23
        eos-error: false
        if: not is_end
      - id: script
        doc: The byte A7 is a line break.
        size-eos: true
        if: not is_end
    instances:
      is_end:
        value: _io.size == 1
  chest:
    seq:
      - id: x_code
        doc: x + 32.
        type: u1
      - id: y_code
        type: u1
        if: not is_end
      - id: item_code
        type: u1
        if: not is_end
      - id: sign_code
        type: u1
        if: not is_end
    instances:
      is_end:
        value: _io.size == 1
  sign:
    doc: Lines of fewer than two bytes are no sign.
    seq:
      - id: x_code
        doc: x + 32.
        type: u1
        if: has_bytes
      - id: y_code
        type: u1
        if: has_bytes
      - id: cells
        doc: The text, a cell number + 32 in each byte.
        size-eos: true
    instances:
      is_heights:
        value: has_bytes and _root.version >= "GR-V1.04" and x_code == 0x48 and y_code == 0x45 and cells == [0x49, 0x47, 0x48, 0x54, 0x53]
      has_bytes:
        value: _io.size >= 2
      is_sign:
        value: has_bytes and not is_heights
