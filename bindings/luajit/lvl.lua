--[[
lvl for LuaJIT: documents over the flat interface, and records as C structs.

    local lvl = require("lvl")
    local doc = lvl.open("cliffs.wwd")
    local wwd = doc:root()
    wwd.planes[4].objects[3].x = wwd.planes[4].objects[3].x + 64
    doc:save("new.wwd")

Members of records are those of the format's tables; lists are pointers with a count (planes, planes_count), from 0. Texts are
read with lvl.text and assigned with doc:put. Structs are declared by the layout of the library that is running, so 32 and 64
bits are the same. The library is found by its usual name, or LVL_LIBRARY names it.
]]
local ffi = require("ffi")
local lvl = {enums = require("lvl_ffi")}
local C = ffi.load(os.getenv("LVL_LIBRARY") or "lvl")
assert(C.lvl_abi_version() == 1, "lvl: the library has another version of its interface")

local Document = {}
Document.__index = Document

-- Copies a result and frees it; errors are strings.
local function take(result)
    if result == nil then error("out of memory", 3) end
    local r = {
        data = result.len > 0 and ffi.string(result.data, result.len) or "", count = tonumber(result.count),
        width = result.width, height = result.height, doc = result.doc,
        findings = result.findings_len > 0 and ffi.string(result.findings, result.findings_len) or "[]",
    }
    local status, message = result.status, ffi.string(result.message)
    C.lvl_abi_result_free(result)
    if status ~= 0 then error(message, 3) end
    return r
end

-- {size = 300, art = {"CLAW"}} as a list of texts.
local function options(values)
    local out = {}
    for name, value in pairs(values or {}) do
        if value == true then value = 1 end
        if value ~= false then
            for _, one in ipairs(type(value) == "table" and value or {value}) do
                out[#out + 1] = name .. "=" .. tostring(one) .. "\0"
            end
        end
    end
    return table.concat(out) .. "\0"
end

local function texts(...)
    return table.concat({...}, "\0") .. "\0\0"
end

local kinds = {[0] = "int", "real", "text", "bytes", "record", "list", "cells"}
local words = {["default"] = true, ["int"] = true, ["char"] = true, ["short"] = true, ["long"] = true, ["register"] = true,
    ["static"] = true, ["union"] = true, ["struct"] = true, ["end"] = true, ["repeat"] = true, ["function"] = true}
local declared = {}

-- Declares the structs of a format; returns the type of a pointer to its root.
local function declare(format)
    if declared[format] then return declared[format] end
    local layout = take(C.lvl_abi_layout(format)).data
    local tables, order = {}, {}
    for name, size, fields in layout:gmatch('"([%w_]+)":{"size":(%d+),"fields":{(.-)}}') do
        local members = {}
        for field, body in fields:gmatch('"([%w_]+)":%[(.-)%]') do
            local n = {}
            for one in body:gmatch("[^,]+") do n[#n + 1] = tonumber(one) or one:gsub('"', "") end
            members[#members + 1] = {name = field, kind = kinds[n[1]], offset = n[2], size = n[3], flags = n[4],
                count = n[5], item = kinds[n[6]], item_size = n[7], record = n[8]}
            if members[#members].kind == "list" then
                members[#members + 1] = {name = field .. "_count", kind = "int", offset = n[5], size = 4, flags = 0}
            end
        end
        table.sort(members, function(a, b) return a.offset < b.offset end)
        tables[name] = {size = tonumber(size), members = members}
        order[#order + 1] = name
    end
    local function struct(name) return "struct lvl_" .. format .. "_" .. name end
    local function int(m) return ((m.flags % 2 == 1) and "int" or "uint") .. m.size * 8 .. "_t" end
    local done = {}
    local function emit(name)
        if done[name] then return end
        done[name] = true
        local out, at = {struct(name) .. " {"}, 0
        for i, m in ipairs(tables[name].members) do
            if m.offset >= at then
                if m.offset > at then out[#out + 1] = ("uint8_t pad_%d[%d];"):format(i, m.offset - at) end
                local member = words[m.name] and m.name .. "_" or m.name
                local slot = math.floor(m.flags / 2) % 2 == 1
                if m.kind == "record" then emit(m.record) end
                if m.kind == "int" then out[#out + 1] = int(m) .. " " .. member .. ";"
                elseif m.kind == "real" then out[#out + 1] = "double " .. member .. ";"
                elseif m.kind == "record" then out[#out + 1] = struct(m.record) .. " " .. member .. ";"
                elseif m.kind == "cells" then out[#out + 1] = "lvl_cells " .. member .. ";"
                elseif m.kind == "list" then
                    local item = m.item == "record" and struct(m.record) or m.item == "text" and "lvl_text"
                        or m.item == "real" and "double" or "uint" .. m.item_size * 8 .. "_t"
                    out[#out + 1] = item .. " *" .. member .. ";"
                elseif slot then out[#out + 1] = ("char %s[%d];"):format(member, m.size)
                else out[#out + 1] = "lvl_" .. m.kind .. " " .. member .. ";" end
                at = m.offset + (m.kind == "list" and ffi.sizeof("void *") or m.size)
            end
        end
        if tables[name].size > at then out[#out + 1] = ("uint8_t pad_end[%d];"):format(tables[name].size - at) end
        ffi.cdef("#pragma pack(push, 1)\n" .. table.concat(out, " ") .. "};\n#pragma pack(pop)")
        assert(ffi.sizeof(struct(name)) == tables[name].size, "lvl: the struct " .. name .. " has another size")
    end
    for _, name in ipairs(order) do emit(name) end
    declared[format] = ffi.typeof(struct(layout:match('"root":"([%w_]+)"')) .. " *")
    return declared[format]
end

local function wrap(result)
    local doc = setmetatable({handle = ffi.gc(result.doc, C.lvl_abi_close), findings = result.findings}, Document)
    doc.format = ffi.string(C.lvl_abi_format(doc.handle))
    return doc
end

--- Opens a file, or a member of an archive ("walk.levelpack//levels/hill.level").
function lvl.open(path, opts) return wrap(take(C.lvl_abi_load(path, options(opts)))) end
--- Opens bytes.
function lvl.read(bytes, name, opts) return wrap(take(C.lvl_abi_open(bytes, #bytes, name or "", options(opts)))) end
--- The text of a member or of an item of a list of texts.
function lvl.text(value)
    if ffi.istype("lvl_text", value) or ffi.istype("lvl_bytes", value) then
        return value.len > 0 and ffi.string(value.ptr, value.len) or ""
    end
    return ffi.string(value, ffi.sizeof(value)):gsub("%z+$", "")
end

--- The root record. It lives as long as the document: keep that.
function Document:root() return ffi.cast(declare(self.format), C.lvl_abi_root(self.handle)) end
function Document:bytes(opts) return take(C.lvl_abi_write(self.handle, options(opts))).data end
function Document:save(path, opts) take(C.lvl_abi_save(self.handle, path, options(opts))) end
function Document:get(path) return take(C.lvl_abi_get(self.handle, path, options())).data end
function Document:set(...) return take(C.lvl_abi_set(self.handle, texts(...))).count end
function Document:unset(...) return take(C.lvl_abi_unset(self.handle, texts(...))).count end
function Document:dump(opts) return take(C.lvl_abi_dump(self.handle, options(opts))).data end
function Document:info(opts) return take(C.lvl_abi_info(self.handle, options(opts))).data end
function Document:check(opts) return take(C.lvl_abi_check(self.handle, options(opts))).data end
function Document:explain(opts) return take(C.lvl_abi_explain(self.handle, options(opts))).data end
--- A picture as PNG; its width and height.
function Document:render(opts)
    local r = take(C.lvl_abi_render(self.handle, options(opts)))
    return r.data, r.width, r.height
end
function Document:convert(form, opts) return wrap(take(C.lvl_abi_convert(self.handle, form, options(opts)))) end
function Document:repair(opts) return wrap(take(C.lvl_abi_repair(self.handle, options(opts)))) end
function Document:diff(other, opts) return take(C.lvl_abi_diff(self.handle, other.handle, options(opts))).data end
--- Assigns a text: doc:put(object, "object", "logic", "Soldier").
function Document:put(record, table_name, field, text)
    local f = C.lvl_abi_field(self.format, table_name, field)
    local status = C.lvl_abi_put(self.handle, record, f, text, #text)
    if status ~= 0 then error("the text does not fit: " .. field, 2) end
end
--- A grid that may be written, as a pointer to bytes, row by row.
function Document:cells(record, table_name, field)
    local grid = C.lvl_abi_cells(self.handle, record, C.lvl_abi_field(self.format, table_name, field))
    return grid ~= nil and grid or nil
end

return lvl
