/* A zip of files, which are stored as they are: for several that are saved at once. */

const crcs = Uint32Array.from({length: 256}, (_, n) => {
  let crc = n;
  for (let i = 0; i < 8; i++) crc = crc & 1 ? 0xedb88320 ^ (crc >>> 1) : crc >>> 1;
  return crc;
});

function crc32(bytes) {
  let crc = ~0;
  for (const byte of bytes) crc = crcs[(crc ^ byte) & 255] ^ (crc >>> 8);
  return ~crc >>> 0;
}

/* Numbers of 2 and 4 bytes: [[size, value]]. */
function packed(...fields) {
  const view = new DataView(new ArrayBuffer(fields.reduce((sum, [size]) => sum + size, 0)));
  let at = 0;
  for (const [size, value] of fields) {
    if (size === 2) view.setUint16(at, value, true);
    else view.setUint32(at, value, true);
    at += size;
  }
  return new Uint8Array(view.buffer);
}

/* `files`: [path, bytes]. Returns a Blob. */
export function zipOf(files) {
  const [parts, directory] = [[], []];
  const lengthOf = list => list.reduce((sum, {length}) => sum + length, 0);
  for (const [path, bytes] of files) {
    const name = new TextEncoder().encode(path);
    /* Version, flags (the name is UTF-8), stored, time and date (1 January 1980), checksum, sizes, lengths of name and extra. */
    const head = [[2, 20], [2, 1 << 11], [2, 0], [2, 0], [2, 33], [4, crc32(bytes)], [4, bytes.length], [4, bytes.length],
      [2, name.length], [2, 0]];
    directory.push(packed([4, 0x02014b50], [2, 20], ...head, [2, 0], [2, 0], [2, 0], [4, 0], [4, lengthOf(parts)]), name);
    parts.push(packed([4, 0x04034b50], ...head), name, bytes);
  }
  const count = files.length;
  return new Blob([...parts, ...directory, packed([4, 0x06054b50], [2, 0], [2, 0], [2, count], [2, count],
    [4, lengthOf(directory)], [4, lengthOf(parts)], [2, 0])], {type: 'application/zip'});
}
