// Readers that Kaitai's own compiler makes of data/kaitai/*.ksy, compared with `lvl dump`: every field, text, tile and pixel.
//   node kaitai.mjs LVL FOLDER_OF_KSY FOLDER_OF_PACKAGES [--some] FILE...
import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'

const [lvl, descriptions, packages, ...files] = process.argv.slice(2)
const some = files[0] === '--some' && files.shift() // not each format need be among the files
const require = createRequire(resolve(packages, 'package.json'))
const compiler = require('kaitai-struct-compiler')
const yaml = require('js-yaml')
const KaitaiStream = require('kaitai-struct/KaitaiStream')

const FORMATS = ['ani', 'graal', 'pal', 'pcx', 'pid', 'rez', 'wwd']
const camel = name => name.replace(/_(\w)/g, (_, letter) => letter.toUpperCase())
const run = (...args) => execFileSync(lvl, args, { encoding: 'utf8', maxBuffer: 1 << 30, stdio: ['ignore', 'pipe', 'ignore'] })

// What lvl's tables say of each field: kind, default, names, and whether it follows from others.
function tables(format) {
  const records = {}
  let record, names
  for (const line of run('formats', '--reference', format).split('\n')) {
    let match
    if ((match = /^### (\w+)/.exec(line))) record = records[match[1]] = {}
    else if (/^## /.test(line)) record = names = undefined
    else if (record && /^(Values|Flags) of /.test(line)) {
      names = []
      for (const [, name] of line.matchAll(/`(\w+)`/g)) (record[name] ??= {}).names = names
    } else if (/^Cells of/.test(line)) names = undefined
    else if (record && (match = /^\| `(\w+)` \| (?:0x[0-9A-F]+ (\S+))? ?\| ([^|]*?) \|(.*)\|$/.exec(line))) {
      record[match[1]] = { at: !!match[2], kind: match[3], computed: match[4].includes('*Computed.*'),
        default: /Default: (.*?)\. *(?:Usual|Index|Only|\*|$)/.exec(match[4].trim() + ' ')?.[1] }
    } else if (names && (match = /^\| (-?\d+|0x[0-9A-Fa-f]+) \| `(\w+)` \|/.exec(line))) names.push([Number(match[1]), match[2]])
  }
  return records
}

async function reader(format, out) {
  const text = readFileSync(join(descriptions, format + '.ksy'), 'utf8')
  const made = await compiler.compile('javascript', yaml.load(text), null, false)
  const [name] = Object.keys(made)
  const path = join(out, name.replace('.js', '.cjs'))
  writeFileSync(path, made[name].replaceAll("'kaitai-struct/KaitaiStream'", JSON.stringify(require.resolve('kaitai-struct/KaitaiStream'))))
  const module = createRequire(path)(path)
  return module[name.replace('.js', '')] ?? module
}

// Node 20 decodes windows-1252 as if it were Latin-1.
const upper = '€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ'
KaitaiStream.bytesToStr = data => [...data].map(b => (b >= 0x80 && b < 0xa0 ? upper[b - 0x80] : String.fromCharCode(b))).join('')

let compared = 0
const wrong = []
function same(where, got, want) {
  compared++
  const a = JSON.stringify(got), b = JSON.stringify(want)
  if (a !== b) wrong.push(`${where}: the reader has ${a?.slice(0, 80)}, the dump ${b?.slice(0, 80)}`)
}
// A number of a dump: a name or flags become the number.
function number(field, value) {
  if (value === undefined) value = field.default ?? 0
  if (typeof value === 'number') return value
  let sum = 0
  for (const word of String(value).split('|')) {
    const found = field.names?.find(n => n[1] === word)
    sum += found ? found[0] : Number(word)
  }
  return sum
}
const signless = value => (value < 0 ? value + 2 ** 32 : value)
// All fields of a record that stand in its fixed part, and its texts.
function record(where, table, got, dump = {}) {
  for (const [name, field] of Object.entries(table)) {
    const value = got[camel(name)]
    if (field.computed ? dump[name] === undefined : value === undefined) continue
    if (field.kind === 'text') {
      const want = dump[name] ?? ''
      same(`${where}.${name}`, value, want)
    } else if (/^(integer|name|flags|0 or 1)$/.test(field.kind)) same(`${where}.${name}`, signless(Number(value)), signless(number(field, dump[name])))
  }
}
const bytes = value => Buffer.from(value?.base64 ?? '', 'base64')
// The cells of a grid as one array; symbols as they are.
function cells(grid) {
  return (grid?.rows ?? []).flatMap(row => row.split(' ').flatMap(word => {
    const [cell, count] = word.split('*')
    return Array(Number(count ?? 1)).fill(/^\d+$/.test(cell) ? Number(cell) : cell)
  }))
}
const colors = (where, got, dump) => same(where, (got ?? []).map(c => [c.red, c.green, c.blue]), (dump ?? []).map(c => [c.red ?? 0, c.green ?? 0, c.blue ?? 0]))

const compare = {
  graal(doc, got, t) {
    same('version', got.version, doc.version)
    got.layers.forEach((layer, l) => {
      const tiles = []
      for (const r of layer.runs) {
        if (!r.isRun) tiles.push(r.code.value)
        else for (let i = 0; i < r.count; i++) tiles.push(...r.tiles.map(t => t.value))
      }
      same(`layers[${l}].tiles`, tiles.slice(0, 4096), cells(doc.layers[l].tiles))
    })
    const links = (doc.links ?? []).map(k => [k.level, ...[k.x, k.y, k.width, k.height].map(n => n ?? 0), k.dest_x, k.dest_y].join(' '))
    same('links', got.links.slice(0, -1).map(line => {
      const words = line.trim().split(/[ \t\r]+/), at = words.length - 6
      return [line.trim().replace(/([ \t\r]+[^ \t\r]+){6}$/, ''), ...words.slice(at, at + 4).map(Number), ...words.slice(at + 4)].join(' ')
    }), links)
    const kinds = new Map(t.baddy.type.names.map(([value, name]) => [name, value]))
    same('baddies', got.baddies.slice(0, -1).map(b => [b.x, b.y, b.kind]),
      (doc.baddies ?? []).map(b => [b.x ?? 0, b.y ?? 0, typeof b.type === 'number' ? b.type : kinds.get(b.type ?? 'graysoldier')]))
    const lines = bytes => KaitaiStream.bytesToStr([...bytes].map(b => (b === 0xa7 ? 10 : b)))
    const text = value => (Array.isArray(value) ? value.join('\n') : value ?? '')
    same('npcs', (got.npcs ?? []).slice(0, -1).map(n => [n.xCode - 32, n.yCode - 32, n.image, lines(n.script)]),
      (doc.npcs ?? []).map(n => [n.x ?? 0, n.y ?? 0, n.image ?? '', text(n.script)]))
    same('chests', (got.chests ?? []).slice(0, -1).map(c => [c.xCode - 32, c.yCode - 32, c.signCode - 32]),
      (doc.chests ?? []).map(c => [c.x ?? 0, c.y ?? 0, c.sign ?? -1]))
    same('signs', (got.signs ?? []).filter(s => s.isSign).map(s => [s.xCode - 32, s.yCode - 32]), (doc.signs ?? []).map(s => [s.x ?? 0, s.y ?? 0]))
  },
  pal: (doc, got) => colors('colors', got.colors, doc.colors),
  pid(doc, got, t) {
    record('pid', t.pid, got, doc)
    const pixels = []
    for (const r of got.runs) {
      if (r.skipped) for (let i = 0; i < r.count; i++) pixels.push('.')
      else if (r.literal) for (const value of r.literal) pixels.push(value)
      else for (let i = 0; i < r.count; i++) pixels.push(r.value ?? r.code)
    }
    const size = got.width * got.height
    while (pixels.length < size) pixels.push(0)
    same('pixels', pixels.slice(0, size), cells(doc.pixels))
    if (got.hasPalette) colors('colors', got.colors, doc.colors)
  },
  pcx(doc, got, t) {
    record('pcx', t.pcx, got, doc)
    const line = []
    for (const r of got.runs) for (let i = 0; i < r.count; i++) line.push(r.value)
    const pixels = []
    for (let y = 0; y < got.height; y++) {
      for (let x = 0; x < got.width; x++) {
        let value = 0
        for (let p = 0; p < got.planes; p++) value = value * 256 + line[(y * got.planes + p) * got.lineBytes + x]
        pixels.push(value)
      }
    }
    same('pixels', pixels, cells(doc.pixels))
    if (got.planes === 1) colors('colors', got.colors, doc.colors)
  },
  ani(doc, got, t) {
    record('ani', t.ani, got, doc)
    same('steps', got.steps.length, doc.steps?.length ?? 0)
    got.steps.forEach((step, i) => record(`steps[${i}]`, t.step, step, doc.steps[i]))
  },
  rez(doc, got, t) {
    record('rez', t.rez, got, doc)
    const directory = (where, entries, dump = []) => {
      same(where, entries.length, dump.length)
      entries.forEach((entry, i) => {
        const want = dump[i] ?? {}
        record(`${where}[${i}]`, t.entry, entry, want)
        if (entry.isDir) return directory(`${where}[${i}].entries`, entry.entries.entries, want.entries)
        record(`${where}[${i}]`, { id: t.entry.id, key_count: t.entry.key_count }, entry.file, want)
        same(`${where}[${i}].type`, [...entry.file.type].reverse().join(''), want.type ?? '')
        same(`${where}[${i}].keys`, entry.keys, want.keys ?? [])
        same(`${where}[${i}].data`, Buffer.from(entry.data).equals(bytes(want.data)), true)
      })
    }
    directory('entries', got.rootSize ? got.root.entries : [], doc.entries)
  },
  wwd(doc, got, t) {
    record('wwd', t.wwd, got, doc)
    same('planes', got.block.planes.length, doc.planes?.length ?? 0)
    const rects = (where, object, want) => {
      for (const name of Object.keys(t.object)) if (/_rect\d?$/.test(name)) record(`${where}.${name}`, t.rect, object[camel(name)], want[name])
    }
    got.block.planes.forEach((plane, p) => {
      const want = doc.planes[p] ?? {}, where = `planes[${p}]`
      record(where, t.plane, plane, want)
      same(`${where}.tiles`, plane.tiles.map(v => (v === 0xffffffff ? '.' : v === 0xeeeeeeee ? '#' : v)), cells(want.tiles))
      same(`${where}.image_sets`, plane.imageSets, want.image_sets ?? [])
      same(`${where}.objects`, plane.objects?.length ?? 0, want.objects?.length ?? 0)
      ;(plane.objects ?? []).forEach((object, i) => {
        record(`${where}.objects[${i}]`, t.object, object, want.objects[i])
        rects(`${where}.objects[${i}]`, object, want.objects[i])
      })
    })
    record('tile_header', t.tile_header, got.block.tileHeader, doc.tile_header)
    same('tile_properties', got.block.tileProperties.length, doc.tile_properties?.length ?? 0)
    got.block.tileProperties.forEach((property, i) => {
      const want = doc.tile_properties[i], where = `tile_properties[${i}]`
      record(where, t.tile_property, property, want)
      if (property.rect) record(`${where}.rect`, t.rect, property.rect, want.rect)
      if (property.mask) same(`${where}.mask`, [...property.mask], cells(want.mask))
    })
  },
}

// The dump of a file, and whether lvl finds no error in it.
function dumped(file) {
  const { status, stdout } = spawnSync(lvl, ['dump', '--', file], { encoding: 'utf8', maxBuffer: 1 << 30 })
  return { dump: stdout ? JSON.parse(stdout) : undefined, sound: status === 0 && spawnSync(lvl, ['check', '-q', '--', file]).status === 0 }
}

const out = mkdtempSync(join(tmpdir(), 'lvl-kaitai-'))
let failed = 0
try {
  const readers = {}
  for (const format of FORMATS) readers[format] = { type: await reader(format, out), tables: tables(format), files: 0 }
  for (const file of files) {
    const { dump, sound } = dumped(file)
    const r = readers[dump?.format]
    if (!r || !sound) continue // of a damaged file, or one of another format, the descriptions say nothing
    wrong.length = 0
    try {
      compare[dump.format](dump.doc, new r.type(new KaitaiStream(readFileSync(file))), r.tables)
    } catch (error) {
      wrong.push(String(error.stack ?? error).split('\n').slice(0, 3).join(' '))
    }
    r.files++
    if (wrong.length) {
      failed++
      console.log(`FAILED: ${file}: ${wrong.length} differences\n    ${wrong.slice(0, 3).join('\n    ')}`)
    }
  }
  console.log(FORMATS.map(f => `${f} ${readers[f].files}`).join(', ') + ` files, ${compared} values compared, ${failed} files differ`)
  if (!some && FORMATS.some(f => !readers[f].files)) failed++
} finally {
  rmSync(out, { recursive: true })
}
process.exit(failed ? 1 : 0)
