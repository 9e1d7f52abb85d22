import assert from 'node:assert/strict';
import {inflateSync} from 'node:zlib';

/* RGBA of a PNG that lvl wrote (8 bits, not interlaced). */
export function pixels(png) {
  let width, height, channels, palette, clear, data = [];
  for (let at = 8; at < png.length;) {
    const length = png.readUInt32BE(at), kind = png.toString('latin1', at + 4, at + 8);
    const body = png.subarray(at + 8, at + 8 + length);
    if (kind === 'IHDR') {
      [width, height] = [body.readUInt32BE(0), body.readUInt32BE(4)];
      assert.equal(body[8], 8);
      channels = {0: 1, 2: 3, 3: 1, 6: 4}[body[9]];
    } else if (kind === 'PLTE') palette = body;
    else if (kind === 'tRNS') clear = body;
    else if (kind === 'IDAT') data.push(body);
    at += length + 12;
  }
  const raw = inflateSync(Buffer.concat(data)), stride = width * channels;
  const out = new Uint8ClampedArray(width * height * 4), line = Buffer.alloc(stride);
  for (let y = 0, at = 0; y < height; y++) {
    const filter = raw[at++];
    for (let x = 0; x < stride; x++) {
      const left = x >= channels ? line[x - channels] : 0, up = y ? previous[x] : 0;
      const corner = y && x >= channels ? previous[x - channels] : 0;
      const p = left + up - corner, [a, b, c] = [Math.abs(p - left), Math.abs(p - up), Math.abs(p - corner)];
      const paeth = a <= b && a <= c ? left : b <= c ? up : corner;
      line[x] = raw[at++] + [0, left, up, left + up >> 1, paeth][filter];
    }
    var previous = Buffer.from(line);
    for (let x = 0; x < width; x++) {
      const o = (y * width + x) * 4, i = x * channels;
      if (palette) out.set([...palette.subarray(line[i] * 3, line[i] * 3 + 3), clear?.[line[i]] ?? 255], o);
      else out.set([line[i], line[i + (channels > 2)], line[i + 2 * (channels > 2)], channels === 4
        ? line[i + 3] : 255], o);
    }
  }
  return {width, height, data: out};
}
