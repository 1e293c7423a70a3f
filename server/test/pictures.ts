// Small pictures of each type, made of their parts.
import { crc32, deflateSync } from 'node:zlib';

function chunk(name: string, content: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(name, 'latin1'), content]);
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(content.length);
  sum.writeUInt32BE(crc32(named));
  return Buffer.concat([length, named, sum]);
}

/** `claims`: what its header says instead of its size. */
export function png(width: number, height: number, claims: { width?: number; height?: number } = {}): Buffer {
  const head = Buffer.alloc(13);
  head.writeUInt32BE(claims.width ?? width, 0);
  head.writeUInt32BE(claims.height ?? height, 4);
  head.set([8, 0, 0, 0, 0], 8);
  const rows = deflateSync(Buffer.alloc((width + 1) * height));
  const parts = [chunk('IHDR', head), chunk('IDAT', rows), chunk('IEND', Buffer.alloc(0))];
  return Buffer.concat([Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), ...parts]);
}

export const gif = Buffer.from('R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7', 'base64');

/** Two frames, the second larger than the screen. */
export function animatedGif(width: number, height: number): Buffer {
  const frame = (w: number, h: number) => {
    const at = Buffer.from([0x2c, 0, 0, 0, 0, 0, 0, 0, 0, 0]);
    at.writeUInt16LE(w, 5);
    at.writeUInt16LE(h, 7);
    return Buffer.concat([Buffer.from([0x21, 0xf9, 4, 0, 10, 0, 0, 0]), at, Buffer.from([2, 2, 0x44, 1, 0])]);
  };
  const screen = Buffer.from([2, 0, 3, 0, 0x80, 0, 0, 0, 0, 0, 255, 255, 255]);
  return Buffer.concat([Buffer.from('GIF89a'), screen, frame(2, 3), frame(width, height), Buffer.from([0x3b])]);
}

export function jpeg(width: number, height: number, marker = 0xc0): Buffer {
  const frame = Buffer.from([0xff, marker, 0, 11, 8, 0, 0, 0, 0, 1, 1, 0x11, 0]);
  frame.writeUInt16BE(height, 5);
  frame.writeUInt16BE(width, 7);
  const thumbnail = Buffer.from([0xff, 0xe1, 0, 8, 0xff, 0xd8, 0xff, 0xd9, 0, 0]);
  const scan = Buffer.from([0xff, 0xda, 0, 8, 1, 1, 0, 0, 63, 0, 0x12, 0xff, 0x00, 0x34]);
  return Buffer.concat([Buffer.from([0xff, 0xd8]), thumbnail, frame, scan, Buffer.from([0xff, 0xd9])]);
}

function riff(kind: string, content: Buffer): Buffer {
  const head = Buffer.alloc(20);
  head.write('RIFF', 0, 'latin1');
  head.writeUInt32LE(12 + content.length, 4);
  head.write(`WEBP${kind}`, 8, 'latin1');
  head.writeUInt32LE(content.length, 16);
  return Buffer.concat([head, content]);
}

export const webp = {
  extended: (width: number, height: number) => {
    const content = Buffer.alloc(10);
    content.writeUIntLE(width - 1, 4, 3);
    content.writeUIntLE(height - 1, 7, 3);
    return riff('VP8X', content);
  },
  lossless: (width: number, height: number) => {
    const content = Buffer.alloc(10);
    content[0] = 0x2f;
    content.writeUInt32LE(((width - 1) | ((height - 1) << 14)) >>> 0, 1);
    return riff('VP8L', content);
  },
  lossy: (width: number, height: number) => {
    const content = Buffer.alloc(10);
    content.set([0, 0, 0, 0x9d, 0x01, 0x2a]);
    content.writeUInt16LE(width, 6);
    content.writeUInt16LE(height, 8);
    return riff('VP8 ', content);
  },
};
