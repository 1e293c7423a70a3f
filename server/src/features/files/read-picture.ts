// What a picture is, read from its bytes: only headers and lengths, never pixels. See docs/decisions/0026-files.md.
import type { PictureType } from '@rapport/contract';

export interface Picture {
  type: PictureType;
  width: number;
  height: number;
}

type Reader = (bytes: Buffer) => Omit<Picture, 'type'> | undefined;

const readers: readonly [PictureType, (bytes: Buffer) => boolean, Reader][] = [
  ['image/png', (bytes) => bytes.toString('latin1', 0, 8) === '\x89PNG\r\n\x1a\n', readPng],
  ['image/jpeg', (bytes) => bytes[0] === 0xff && bytes[1] === 0xd8 && bytes[2] === 0xff, readJpeg],
  ['image/gif', (bytes) => /^GIF8[79]a$/.test(bytes.toString('latin1', 0, 6)), readGif],
  ['image/webp', (bytes) => /^RIFF.{4}WEBP$/s.test(bytes.toString('latin1', 0, 12)), readWebp],
];

/** Undefined if it is none of the four types, broken, or cut off. Every reader moves forward, so the time is bounded by the length. */
export function readPicture(bytes: Buffer): Picture | undefined {
  const [type, , read] = readers.find(([, begins]) => begins(bytes)) ?? [];
  if (!type || !read) return undefined;
  try {
    const size = read(bytes);
    return size && size.width > 0 && size.height > 0 ? { type, ...size } : undefined;
  } catch (error) {
    // A number was read past the end.
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

function readPng(bytes: Buffer): ReturnType<Reader> {
  if (bytes.toString('latin1', 12, 16) !== 'IHDR' || bytes.readUInt32BE(8) !== 13) return undefined;
  const size = { width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) };
  // Each chunk: length, name, content, checksum.
  for (let at = 8; at + 12 <= bytes.length; ) {
    const next = at + 12 + bytes.readUInt32BE(at);
    if (next > bytes.length) return undefined;
    if (bytes.toString('latin1', at + 4, at + 8) === 'IEND') return size;
    at = next;
  }
  return undefined;
}

function readJpeg(bytes: Buffer): ReturnType<Reader> {
  let size: ReturnType<Reader>;
  for (let at = 2; at + 1 < bytes.length; ) {
    if (bytes[at] !== 0xff) return undefined;
    const marker = bytes[at + 1] as number;
    // Padding, and markers without content.
    if (marker === 0xff) at++;
    else if (marker === 0x01 || (marker >= 0xd0 && marker <= 0xd7)) at += 2;
    else if (marker === 0xd9) return size;
    // The first scan: after its header only data follows. Some files lack the mark at the end, and every client shows them.
    else if (marker === 0xda) return at + 2 + bytes.readUInt16BE(at + 2) > bytes.length ? undefined : size;
    else {
      if (isFrame(marker)) size = { height: bytes.readUInt16BE(at + 5), width: bytes.readUInt16BE(at + 7) };
      at += 2 + Math.max(2, bytes.readUInt16BE(at + 2));
    }
  }
  return undefined;
}

/** SOF0 to SOF15, without the three markers among them that are something else. */
function isFrame(marker: number): boolean {
  return marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);
}

/** The size of the screen, or of the largest frame if that exceeds it. */
function readGif(bytes: Buffer): ReturnType<Reader> {
  let [width, height] = [bytes.readUInt16LE(6), bytes.readUInt16LE(8)];
  let at = 13 + tableBytes(bytes.readUInt8(10));
  for (;;) {
    const kind = bytes.readUInt8(at);
    if (kind === 0x3b) return { width, height };
    if (kind === 0x2c) {
      width = Math.max(width, bytes.readUInt16LE(at + 5));
      height = Math.max(height, bytes.readUInt16LE(at + 7));
      at = pastBlocks(bytes, at + 11 + tableBytes(bytes.readUInt8(at + 9)));
    } else if (kind === 0x21) at = pastBlocks(bytes, at + 2);
    else return undefined;
  }
}

function tableBytes(flags: number): number {
  return flags & 0x80 ? 3 * 2 ** ((flags & 7) + 1) : 0;
}

function pastBlocks(bytes: Buffer, from: number): number {
  let at = from;
  for (let length = bytes.readUInt8(at); length > 0; length = bytes.readUInt8(at)) at += 1 + length;
  return at + 1;
}

function readWebp(bytes: Buffer): ReturnType<Reader> {
  const end = 8 + bytes.readUInt32LE(4);
  if (end > bytes.length) return undefined;
  const kind = bytes.toString('latin1', 12, 16);
  if (20 + bytes.readUInt32LE(16) > end) return undefined;
  if (kind === 'VP8X') return { width: bytes.readUIntLE(24, 3) + 1, height: bytes.readUIntLE(27, 3) + 1 };
  if (kind === 'VP8L' && bytes[20] === 0x2f) {
    const bits = bytes.readUInt32LE(21);
    return { width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 };
  }
  if (kind === 'VP8 ' && bytes.toString('hex', 23, 26) === '9d012a')
    return { width: bytes.readUInt16LE(26) & 0x3fff, height: bytes.readUInt16LE(28) & 0x3fff };
  return undefined;
}
