# Made by scripts/kaitai from ani.ksy.in and lvl's tables: do not edit.
meta:
  id: ani
  title: WAP32 animation (Claw, Gruntz, Get Medieval)
  file-extension: ani
  endian: le
  encoding: windows-1252
doc-ref: docs/formats/ani.md
seq:
  - id: header_size
    type: u4
    doc: "32. Default: 32."
  - id: unknown_04
    type: u4
    doc: "Always 0."
  - id: flags
    type: u4
    doc: "Of the animation; meaning unknown."
  - id: count
    type: u4
    doc: "Number of steps."
  - id: name_len
    type: u4
    doc: "Length of the name."
  - id: unknown_14
    type: u4
    doc: "Always 0."
  - id: unknown_18
    type: u4
    doc: "Always 0."
  - id: unknown_1c
    type: u4
    doc: "Always 0."
  - id: name
    type: str
    size: name_len
  - id: steps
    type: step
    repeat: expr
    repeat-expr: count
types:
  step:
    seq:
      - id: flags
        type: u2
        doc: "Whether sound keys follow."
      - id: step_mode
        type: s2
        doc: "How the frame is chosen. Default: frame."
      - id: loop_mode
        type: s2
        doc: "Where the animation continues."
      - id: position_mode
        type: s2
        doc: "How dx and dy move the object."
      - id: param
        type: s2
        doc: "With step_mode frame: the number of the frame."
      - id: duration
        type: s2
        doc: "How long the frame is shown."
      - id: event
        type: s2
        doc: "Number for the object's logic when the frame is drawn."
      - id: dx
        type: s2
        doc: "Moves the object right."
      - id: dy
        type: s2
        doc: "Moves the object down."
      - id: unknown_12
        type: s2
        doc: "Garbage: what the editor's memory held."
      - id: cue
        doc: Keys of sounds.
        type: strz
        if: (flags & 2) != 0
