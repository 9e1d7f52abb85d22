@tool
extends EditorPlugin
## Registers the importer of levels.

var importer


func _enter_tree() -> void:
	importer = preload("importer.gd").new()
	add_import_plugin(importer)


func _exit_tree() -> void:
	remove_import_plugin(importer)
	importer = null
