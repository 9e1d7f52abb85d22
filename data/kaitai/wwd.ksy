# Made by scripts/kaitai from wwd.ksy.in and lvl's tables: do not edit.
meta:
  id: wwd
  title: WAP32 level (Claw, Gruntz, Get Medieval)
  file-extension: wwd
  endian: le
  encoding: windows-1252
doc-ref: docs/formats/wwd.md
seq:
  - id: header_size
    type: u4
    doc: "Bytes of the header, which is where the main block begins. The game refuses a larger one. Default: 1524."
  - id: unknown_04
    type: u4
    doc: "Always 0 in known files."
  - id: flags
    type: u4
    doc: "How the level is drawn and stored."
  - id: unknown_0c
    type: u4
    doc: "Always 0 in known files."
  - id: name
    type: str
    size: 64
    pad-right: 0
    doc: "Title. The first number in it is the base level, by which the game picks tiles and images (\"Claw - Level 3\")."
  - id: author
    type: str
    size: 64
    pad-right: 0
    doc: "Author."
  - id: birth
    type: str
    size: 64
    pad-right: 0
    doc: "Date, in any form."
  - id: rez_file
    type: str
    size: 256
    pad-right: 0
    doc: "Path of the game's archive on the maker's machine. For the editor."
  - id: image_dir
    type: str
    size: 128
    pad-right: 0
    doc: "Folder of the tiles in the archive (\"\\LEVEL1\\TILES\"). For the editor; Claw levels repeat the base level here."
  - id: pal_rez
    type: str
    size: 128
    pad-right: 0
    doc: "Palette in the archive (\"\\LEVEL1\\PALETTES\\MAIN.PAL\"). For the editor."
  - id: start_x
    type: s4
    doc: "Start of the player on the main plane."
  - id: start_y
    type: s4
    doc: "Start of the player on the main plane."
  - id: unknown_2d8
    type: u4
    doc: "0; in some files the index of the main plane, probably the plane that the editor showed last. No game reads it."
  - id: plane_count
    type: u4
    doc: "Number of planes."
  - id: planes_offset
    type: u4
    doc: "Where the plane headers are."
  - id: tile_properties_offset
    type: u4
    doc: "Where the tile properties are."
  - id: inflated_size
    type: u4
    doc: "Bytes of the main block when inflated; 0 when it is stored. The game loads nothing when a compressed level has another number here."
  - id: checksum
    type: u4
    doc: "Sum over the main block, by one of the rules. No game verifies it; Gruntz compares it between players to identify the level."
  - id: unknown_2f0
    type: u4
    doc: "Always 0 in known files."
  - id: launch_app
    type: str
    size: 128
    pad-right: 0
    doc: "Program that the editor starts to try the level."
  - id: image_set1
    type: str
    size: 128
    pad-right: 0
    doc: "Folder of images (\"LEVEL1\\IMAGES\") of the image set names that begin with prefix1. For the editor."
  - id: image_set2
    type: str
    size: 128
    pad-right: 0
    doc: "The same for prefix2."
  - id: image_set3
    type: str
    size: 128
    pad-right: 0
    doc: "The same for prefix3."
  - id: image_set4
    type: str
    size: 128
    pad-right: 0
    doc: "The same for prefix4."
  - id: prefix1
    type: str
    size: 32
    pad-right: 0
    doc: "Beginning of the image set names (\"LEVEL\") that mean the folder image_set1."
  - id: prefix2
    type: str
    size: 32
    pad-right: 0
    doc: "Beginning of the image set names that mean the folder image_set2."
  - id: prefix3
    type: str
    size: 32
    pad-right: 0
    doc: "Beginning of the image set names that mean the folder image_set3."
  - id: prefix4
    type: str
    size: 32
    pad-right: 0
    doc: "Beginning of the image set names that mean the folder image_set4."
  - id: inflated
    doc: The main block, one zlib stream; a trailer may follow it.
    size-eos: true
    process: zlib
    type: main_block
    if: is_compressed
  - id: stored
    size-eos: true
    type: main_block
    if: not is_compressed
instances:
  is_compressed:
    value: (flags & 2) != 0
  block:
    doc: Offsets count from the start of the file, as if the main block were stored.
    value: 'is_compressed ? inflated : stored'
types:
  main_block:
    instances:
      planes:
        pos: _root.planes_offset - 0x5f4
        type: plane
        repeat: expr
        repeat-expr: _root.plane_count
      tile_header:
        pos: _root.tile_properties_offset - 0x5f4
        type: tile_header
      tile_properties:
        pos: _root.tile_properties_offset - 0x5f4 + 32
        type: tile_property
        repeat: expr
        repeat-expr: 'tile_header.header_size != 0 ? tile_header.count : 0'
  plane:
    seq:
      - id: header_size
        type: u4
        doc: "Bytes of a plane header. The game refuses another number. Default: 160."
      - id: unknown_04
        type: u4
        doc: "Always 0 in known files."
      - id: flags
        type: u4
        doc: "Kind of plane. The original editor leaves garbage in bits 5 to 7, which no program reads."
      - id: unknown_0c
        type: u4
        doc: "Always 0 in known files."
      - id: name
        type: str
        size: 64
        pad-right: 0
        doc: "The plane's name in the editor."
      - id: width_px
        type: s4
        doc: "Width of the plane. No game reads it."
      - id: height_px
        type: s4
        doc: "Height of the plane. No game reads it."
      - id: tile_width
        type: s4
        doc: "Width of a tile: a power of two, or the game draws it wrong. Default: 64. Usual values: 1 to 4096."
      - id: tile_height
        type: s4
        doc: "Height of a tile: a power of two, or the game draws it wrong. Default: 64. Usual values: 1 to 4096."
      - id: tiles_wide
        type: s4
        doc: "Columns of tiles."
      - id: tiles_high
        type: s4
        doc: "Rows of tiles."
      - id: scroll_x
        type: s4
        doc: "Scroll origin: where the plane's tiles begin to the side, scaled with the movement unless it is the main plane. 0 in known files."
      - id: scroll_y
        type: s4
        doc: "Scroll origin from the top. 0 in known files."
      - id: movement_x
        type: s4
        doc: "How far the plane moves when the main plane moves: 50 is farther away, 150 nearer. The main plane always moves by 100. Default: 100."
      - id: movement_y
        type: s4
        doc: "The same, up and down. Default: 100."
      - id: fill_color
        type: s4
        doc: "Palette index of filled tiles; the game takes its low byte. Usual values: 0 to 255."
      - id: image_set_count
        type: u4
        doc: "Number of image sets."
      - id: object_count
        type: u4
        doc: "Number of objects."
      - id: tiles_offset
        type: u4
        doc: "Where the tiles are."
      - id: image_sets_offset
        type: u4
        doc: "Where the image set names are."
      - id: objects_offset
        type: u4
        doc: "Where the objects are; 0 when there are none."
      - id: z
        type: s4
        doc: "Depth in drawing order: objects with a smaller z are drawn before the plane."
      - id: unknown_94
        type: u4
        doc: "Always 0 in known files."
      - id: unknown_98
        type: u4
        doc: "Always 0 in known files."
      - id: unknown_9c
        type: u4
        doc: "Always 0 in known files."
    instances:
      tiles:
        doc: 0xFFFFFFFF is no tile, 0xEEEEEEEE the fill colour.
        pos: tiles_offset - 0x5f4
        type: u4
        repeat: expr
        repeat-expr: tiles_wide * tiles_high
      image_sets:
        pos: image_sets_offset - 0x5f4
        type: strz
        repeat: expr
        repeat-expr: image_set_count
      objects:
        pos: objects_offset - 0x5f4
        type: level_object
        repeat: expr
        repeat-expr: object_count
        if: objects_offset != 0
  level_object:
    seq:
      - id: id
        type: s4
        doc: "The editor's number of the object. Not unique in real levels; the game doesn't use it to find objects."
      - id: name_size
        type: u4
        doc: "Bytes of the name."
      - id: logic_size
        type: u4
        doc: "Bytes of the logic."
      - id: image_set_size
        type: u4
        doc: "Bytes of the image set."
      - id: animation_size
        type: u4
        doc: "Bytes of the animation."
      - id: x
        type: s4
        doc: "Position on the main plane. The game drops objects left of 0 or right of the plane."
      - id: y
        type: s4
        doc: "Position on the main plane. The game drops objects above 0 or below the plane."
      - id: z
        type: s4
        doc: "Drawing order: greater is nearer. Compared with the planes' z when the level's flag use_z is set."
      - id: i
        type: s4
        doc: "Number of the image in the image set; -1: the lowest there is. Default: -1."
      - id: add_flags
        type: u4
        doc: "When to add the object. No game reads it."
      - id: dynamic_flags
        type: u4
        doc: "Behaviour of the object."
      - id: draw_flags
        type: u4
        doc: "How it is drawn."
      - id: user_flags
        type: u4
        doc: "Flags for the logic."
      - id: score
        type: s4
        doc: "Score for it."
      - id: points
        type: s4
        doc: "Points; the meaning depends on the logic."
      - id: powerup
        type: s4
        doc: "Number of an item: what an enemy drops, or the first item in a crate. For others the meaning depends on the logic."
      - id: damage
        type: s4
        doc: "Damage it does; volume in percent for ambient sounds."
      - id: smarts
        type: s4
        doc: "Intelligence of enemies, duration of a power-up, number of times that a sound plays; depends on the logic."
      - id: health
        type: s4
        doc: "Health points; 0 usually means the default of the logic."
      - id: move_rect
        type: rect
        doc: "Box for movement, against tiles; time ranges of ambient sounds; steps of a PathElevator."
      - id: hit_rect
        type: rect
        doc: "Box in which it can be hit; replaces the logic's own when set."
      - id: attack_rect
        type: rect
        doc: "Box in which it hits others; replaces the logic's own when set."
      - id: clip_rect
        type: rect
        doc: "Box that its image is cut to."
      - id: user_rect1
        type: rect
        doc: "Four numbers for the logic: items 2 to 5 of a crate, further drops of an enemy."
      - id: user_rect2
        type: rect
        doc: "Four numbers for the logic: items 6 to 9 of a crate, further drops of an enemy."
      - id: user1
        type: s4
        doc: "A number for the logic; 1 makes an enemy stand still."
      - id: user2
        type: s4
        doc: "A number for the logic."
      - id: user3
        type: s4
        doc: "A number for the logic."
      - id: user4
        type: s4
        doc: "A number for the logic."
      - id: user5
        type: s4
        doc: "A number for the logic."
      - id: user6
        type: s4
        doc: "A number for the logic."
      - id: user7
        type: s4
        doc: "A number for the logic."
      - id: user8
        type: s4
        doc: "A number for the logic."
      - id: min_x
        type: s4
        doc: "Left end of its patrol, travel or area."
      - id: min_y
        type: s4
        doc: "Upper end of its patrol, travel or area."
      - id: max_x
        type: s4
        doc: "Right end of its patrol, travel or area."
      - id: max_y
        type: s4
        doc: "Lower end of its patrol, travel or area."
      - id: speed_x
        type: s4
        doc: "Speed to the side in px/s; the destination of warps, bosses and crates; time on of pegs."
      - id: speed_y
        type: s4
        doc: "Speed up and down in px/s; the destination of warps, bosses and crates; time off of pegs."
      - id: tweak_x
        type: s4
        doc: "Horizontal shift of the image; depends on the logic."
      - id: tweak_y
        type: s4
        doc: "Vertical shift of the image; depends on the logic."
      - id: counter
        type: s4
        doc: "A count or time for the logic."
      - id: speed
        type: s4
        doc: "Speed of a PathElevator, delay of toggle pegs; depends on the logic."
      - id: width
        type: s4
        doc: "Width for the logic."
      - id: height
        type: s4
        doc: "Height for the logic."
      - id: direction
        type: s4
        doc: "Direction, as on the numeric keypad."
      - id: face_direction
        type: s4
        doc: "Direction that it faces, as on the numeric keypad."
      - id: time_delay
        type: s4
        doc: "A time for the logic."
      - id: frame_delay
        type: s4
        doc: "Time an image is shown."
      - id: object_type
        type: u4
        doc: "Kind of object in collision tests; 0: as its logic sets it. The editor writes 0x300 where it shows user3 and 0x400 where it shows user4."
      - id: hit_type
        type: u4
        doc: "Kinds of objects that can hit it; 0: as its logic sets it."
      - id: move_res_x
        type: s4
        doc: "Horizontal step of movement; used only above 0."
      - id: move_res_y
        type: s4
        doc: "Vertical step of movement; used only above 0."
      - id: name
        type: str
        size: name_size
      - id: logic
        type: str
        size: logic_size
      - id: image_set
        type: str
        size: image_set_size
      - id: animation
        type: str
        size: animation_size
  rect:
    seq:
      - id: left
        type: s4
        doc: "Left edge."
      - id: top
        type: s4
        doc: "Upper edge."
      - id: right
        type: s4
        doc: "Right edge, inclusive."
      - id: bottom
        type: s4
        doc: "Lower edge, inclusive."
  tile_header:
    seq:
      - id: header_size
        type: u4
        doc: "Bytes of this header; 0: the file has no tile properties at all. Default: 32."
      - id: unknown_04
        type: u4
        doc: "Always 0 in known files."
      - id: count
        type: u4
        doc: "Number of tile properties."
      - id: unknown_0c
        type: u4
        doc: "Always 0 in known files."
      - id: unknown_10
        type: u4
        doc: "Always 0 in known files."
      - id: unknown_14
        type: u4
        doc: "Always 0 in known files."
      - id: unknown_18
        type: u4
        doc: "Always 0 in known files."
      - id: unknown_1c
        type: u4
        doc: "Always 0 in known files."
  tile_property:
    seq:
      - id: type
        type: u4
        enum: tile_property_type
        doc: "How the tile is described. Default: single."
      - id: unknown_04
        type: u4
        doc: "Always 0 in known files."
      - id: width
        type: u4
        doc: "Width of the tile. Of a mask: its width, computed on writing. Default: 64."
      - id: height
        type: u4
        doc: "Height of the tile. Of a mask: its height, computed on writing. Default: 64."
      - id: attribute
        type: s4
        if: type == tile_property_type::single
      - id: outside
        type: s4
        if: type == tile_property_type::double
      - id: inside
        type: s4
        if: type == tile_property_type::double
      - id: rect
        type: rect
        if: type == tile_property_type::double
      - id: mask
        doc: An attribute for each pixel, row by row.
        size: width * height
        if: type == tile_property_type::mask
enums:
  tile_property_type:
    1: "single"
    2: "double"
    3: "mask"
