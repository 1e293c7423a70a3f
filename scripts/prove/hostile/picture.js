// Pictures that no other request sends.
import { crc32, deflateSync } from 'node:zlib';

/**
 * @param {string} name
 * @param {Buffer} content
 */
function chunk(name, content) {
  const named = Buffer.concat([Buffer.from(name, 'latin1'), content]);
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(content.length);
  sum.writeUInt32BE(crc32(named));
  return Buffer.concat([length, named, sum]);
}

/** @param {import('./random.js').Random} random */
function png(random) {
  const [width, height] = [1 + random.whole(40), 1 + random.whole(40)];
  const head = Buffer.alloc(13);
  head.writeUInt32BE(width, 0);
  head.writeUInt32BE(height, 4);
  head.set([8, 0, 0, 0, 0], 8);
  const rows = deflateSync(Buffer.alloc((width + 1) * height));
  const title = Buffer.from(`Title\0${random.word()}`);
  const parts = [chunk('IHDR', head), chunk('tEXt', title), chunk('IDAT', rows), chunk('IEND', Buffer.alloc(0))];
  return Buffer.concat([Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), ...parts]);
}

/** @param {import('./random.js').Random} random */
function gif(random) {
  const bytes = Buffer.from('R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7', 'base64');
  // The size of the screen.
  bytes.writeUInt16LE(1 + random.whole(20_000), 6);
  bytes.writeUInt16LE(1 + random.whole(20_000), 8);
  return bytes;
}

/** @param {import('./random.js').Random} random */
export function picture(random) {
  return random.pick([png, gif])(random);
}

/**
 * With other bytes in some places, or cut off.
 * @param {Buffer} bytes
 * @param {import('./random.js').Random} random
 */
export function spoilBytes(bytes, random) {
  const spoilt = Buffer.from(bytes);
  for (let i = 0; i <= random.whole(5); i++) spoilt[random.whole(spoilt.length)] = random.whole(256);
  return random.chance(0.3) ? spoilt.subarray(0, random.whole(spoilt.length)) : spoilt;
}
