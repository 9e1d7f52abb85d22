-- A page of the site (scripts/site): links between Markdown files become links between pages, files that a page
-- refers to are written to the list in `wanted', and no element has a style of its own, which the policy forbids.
local top, folder, wanted

local function exists(path)
  local file = io.open(path)
  if file then file:close() end
  return file ~= nil
end

-- "docs/formats", "../graal.md": "docs/graal.md"; nil: outside of the project.
local function joined(from, to)
  local parts = {}
  for part in (from .. "/" .. to):gmatch("[^/]+") do
    if part == ".." then
      if #parts == 0 then return nil end
      parts[#parts] = nil
    elseif part ~= "." then
      parts[#parts + 1] = part
    end
  end
  return table.concat(parts, "/")
end

local function target(url)
  if url:match("^%a[%w+.-]*:") or url:match("^#") then return url end
  local path, anchor = url:match("^([^#]*)(.*)$")
  local full = joined(folder, path)
  if not full then return nil end
  if full == "README.md" then return top .. "index.html" .. anchor end
  if full == "docs/man" then return top .. "docs/man/lvl.html" .. anchor end
  if path:match("%.md$") then return (path:gsub("%.md$", ".html")) .. anchor end
  -- A folder opens like a file, but it cannot be read.
  local file = exists(full) and io.open(full)
  local readable = file and file:read(0) ~= nil
  if file then file:close() end
  if not readable then return nil end
  wanted:write(full, "\n")
  return url
end

function Link(link)
  local to = target(link.target)
  if not to then return link.content end
  link.target = to
  return link
end

function Image(image)
  image.src = target(image.src) or image.src
  return image
end

function Table(tbl)
  for i = 1, #tbl.colspecs do tbl.colspecs[i] = {pandoc.AlignDefault, nil} end
  tbl.attr.attributes.tabindex = "0"
  local header = false
  for _, row in ipairs(tbl.head.rows) do
    for _, cell in ipairs(row.cells) do header = header or #cell.contents > 0 end
  end
  if not header then tbl.head = pandoc.TableHead() end
  return tbl
end

-- What is too wide scrolls, also by keys.
function CodeBlock(block)
  block.attr.attributes.tabindex = "0"
  return block
end

function Pandoc(doc)
  local first = doc.blocks:find_if(function(block) return block.t == "Header" end)
  if first and not doc.meta.title then doc.meta.pagetitle = pandoc.utils.stringify(first) .. " · lvl" end
  return doc
end

return {
  {Meta = function(meta)
    top, folder = pandoc.utils.stringify(meta.root), pandoc.utils.stringify(meta.folder)
    wanted = io.open(pandoc.utils.stringify(meta.wanted), "a")
  end},
  {Link = Link, Image = Image, Table = Table, CodeBlock = CodeBlock, Pandoc = Pandoc},
}
