@tool
extends EditorImportPlugin
## A level becomes a scene: a Node2D with a TileMapLayer for each plane, in the order of the planes, and a Marker2D for each thing.


func _get_importer_name() -> String:
	return "lvl.level"


func _get_visible_name() -> String:
	return "Level (lvl)"


func _get_recognized_extensions() -> PackedStringArray:
	return PackedStringArray(["wwd", "nw", "graal", "zelda", "level"])


func _get_save_extension() -> String:
	return "scn"


func _get_resource_type() -> String:
	return "PackedScene"


func _get_preset_count() -> int:
	return 1


func _get_preset_name(_preset: int) -> String:
	return "Default"


func _get_import_options(_path: String, _preset: int) -> Array[Dictionary]:
	# folders and archives with the game's pictures, one a line; they are also searched around the level
	return [{"name": "art", "default_value": "", "property_hint": PROPERTY_HINT_MULTILINE_TEXT}]


func _get_option_visibility(_path: String, _option: StringName, _options: Dictionary) -> bool:
	return true


func _get_priority() -> float:
	return 1.0


func _get_import_order() -> int:
	return 0


func _import(source: String, save_path: String, options: Dictionary, _variants: Array[String], _files: Array[String]) -> Error:
	var level := LvlLevel.new()
	var message: String = level.open(ProjectSettings.globalize_path(source), options["art"])
	if message != "":
		push_error(message)
		return ERR_PARSE_ERROR
	var root := Node2D.new()
	root.name = source.get_file().get_basename()
	var scene: Dictionary = JSON.parse_string(level.scene())
	var layers: Array = scene["layers"]
	for i in layers.size():
		var node := _layer(level, i, layers[i])
		root.add_child(node)
		node.owner = root
	for thing: Dictionary in scene["things"]:
		var node := Marker2D.new()
		var place: Array = thing["rect"]
		node.name = str(thing.get("label", "thing"))
		node.position = Vector2(place[0] + place[2] / 2.0, place[1] + place[3] / 2.0)
		node.set_meta("lvl", thing)
		root.add_child(node, true)
		node.owner = root
	var packed := PackedScene.new()
	var error := packed.pack(root)
	root.free()
	return error if error != OK else ResourceSaver.save(packed, save_path + "." + _get_save_extension())


func _layer(level: LvlLevel, index: int, facts: Dictionary) -> TileMapLayer:
	var node := TileMapLayer.new()
	node.name = facts["name"] if facts["name"] != "" else "Layer%d" % index
	node.visible = not facts["hidden"]
	var png: PackedByteArray = level.atlas(index)
	if png.is_empty():
		return node
	var image := Image.new()
	image.load_png_from_buffer(png)
	var size := Vector2i(facts["cell_width"], facts["cell_height"])
	var source := TileSetAtlasSource.new()
	source.texture = ImageTexture.create_from_image(image)
	source.texture_region_size = size
	var data: PackedByteArray = level.tile_map_data(index)
	for at in range(2, data.size(), 12):
		var tile := Vector2i(data.decode_u16(at + 6), data.decode_u16(at + 8))
		if not source.has_tile(tile):
			source.create_tile(tile)
	var tiles := TileSet.new()
	tiles.tile_size = size
	tiles.add_source(source, 0)
	node.tile_set = tiles
	node.tile_map_data = data
	return node
