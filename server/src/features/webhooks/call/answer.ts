// Reads the response to a call, with limits on its size and time.
import type { IncomingMessage } from 'node:http';
import { brotliDecompressSync, gunzipSync, inflateSync } from 'node:zlib';
import { parseJson } from '../../../lib/parse-json.js';

/** Bytes, compressed and decompressed. */
export const mostAnswerBytes = 64 * 1024;
const deepest = 100;

/** The raw body; undefined if it is longer than the limit, or does not end in time: then the connection is closed. */
export async function readBytes(response: IncomingMessage, withinMs: number): Promise<Buffer | undefined> {
  if (Number(response.headers['content-length'] ?? 0) > mostAnswerBytes) {
    response.destroy();
    return undefined;
  }
  const timer = setTimeout(() => response.destroy(), withinMs);
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    for await (const chunk of response as AsyncIterable<Buffer>) {
      size += chunk.length;
      // Leaving the loop closes the connection.
      if (size > mostAnswerBytes) return undefined;
      chunks.push(chunk);
    }
    return Buffer.concat(chunks);
  } catch {
    return undefined;
  } finally {
    clearTimeout(timer);
  }
}

// Bytes.
const longestStart = 1000;

/** The first bytes as text, or as many as come in time. For people, who are to see what the receiver says. */
export async function readStart(response: IncomingMessage, withinMs: number): Promise<string> {
  const timer = setTimeout(() => response.destroy(), withinMs);
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    for await (const chunk of response as AsyncIterable<Buffer>) {
      chunks.push(chunk);
      size += chunk.length;
      // Leaving the loop closes the connection.
      if (size >= longestStart) break;
    }
  } catch {
    // What came before it broke off is shown.
  } finally {
    clearTimeout(timer);
  }
  // A character that was cut off at the end is left out.
  const text = new TextDecoder().decode(Buffer.concat(chunks).subarray(0, longestStart), { stream: true });
  return text.replaceAll('\0', '');
}

const unpackers: Record<string, (bytes: Buffer, options: { maxOutputLength: number }) => Buffer> = {
  gzip: gunzipSync,
  'x-gzip': gunzipSync,
  deflate: inflateSync,
  br: brotliDecompressSync,
  identity: (bytes) => bytes,
};

/** The JSON in these bytes, in a form PostgreSQL can store; undefined if it is not JSON, or exceeds the limit. */
export function readJson(bytes: Buffer, encoding = 'identity'): unknown {
  const unpack = unpackers[encoding.trim().toLowerCase()];
  if (!unpack) return undefined;
  try {
    const text = new TextDecoder().decode(unpack(bytes, { maxOutputLength: mostAnswerBytes }));
    return sound(parseJson(text), deepest);
  } catch {
    return undefined;
  }
}

/** Removes what PostgreSQL cannot store: NUL and lone surrogates. Throws if it is nested too deeply. */
function sound(value: unknown, depth: number): unknown {
  if (typeof value === 'string') return soundText(value);
  if (typeof value !== 'object' || value === null) return value;
  if (depth === 0) throw new RangeError('too deep');
  if (Array.isArray(value)) return value.map((each) => sound(each, depth - 1));
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [soundText(key), sound(each, depth - 1)]));
}

function soundText(text: string): string {
  return text.replaceAll('\0', '').toWellFormed();
}
