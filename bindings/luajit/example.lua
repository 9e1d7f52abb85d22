-- Moves the soldiers of a level: luajit example.lua LEVEL.wwd NEW.wwd
package.path = arg[0]:gsub("[^/\\]*$", "") .. "?.lua;" .. package.path
local lvl = require("lvl")
local bit = require("bit")

local doc = lvl.open(arg[1])
local wwd = doc:root()
local moved = 0
for p = 0, wwd.planes_count - 1 do
    local plane = wwd.planes[p]
    for i = 0, plane.objects_count - 1 do
        local object = plane.objects[i]
        if lvl.text(object.logic) == "Soldier" then
            object.x = object.x + plane.tile_width
            doc:put(object, "object", "name", "moved")
            moved = moved + 1
        end
    end
    if bit.band(plane.flags, lvl.enums.WwdPlaneFlags.MAIN) ~= 0 then print("main plane: " .. lvl.text(plane.name)) end
end
doc:save(arg[2])
print(moved .. " soldiers moved")
print(doc:diff(lvl.open(arg[2])) == "" and "saved" or "not saved")
print(pcall(doc.set, doc, "nothing=1"))
