// The bytes of one file, as a form or by themselves, within a limit.
import { pipeline } from 'node:stream/promises';
import { mostFileBytes } from '@rapport/contract';
import { ApiError, invalid, tooLarge } from '../../http/api-error.js';
import type { BodyStream } from '../../http/endpoint.js';

interface ReceivedFile {
  bytes: Buffer;
  /** As the sender named it. */
  name: string | undefined;
}

export async function receiveFile(stream: BodyStream, name: string | undefined): Promise<ReceivedFile> {
  try {
    if (stream.mediaType === 'multipart/form-data') {
      const file = await readForm(stream);
      return { ...file, name: name ?? file.name };
    }
    return { bytes: await readAll(stream.bytes), name };
  } catch (error) {
    if (isAbort(error)) throw brokenOff();
    throw error;
  }
}

async function readAll(source: AsyncIterable<Buffer>): Promise<Buffer> {
  const parts: Buffer[] = [];
  let length = 0;
  for await (const part of source) {
    length += part.length;
    if (length > mostFileBytes) throw tooLarge(mostFileBytes);
    parts.push(part);
  }
  return Buffer.concat(parts, length);
}

// `name` may be a field, too. Others are passed over; a form with this many has another purpose.
const mostParts = 20;
const limits = { parts: mostParts, fieldSize: 1024, fileSize: mostFileBytes, headerPairs: 20 };

async function readForm({ contentType, bytes }: BodyStream): Promise<ReceivedFile> {
  // Loaded with the first form: most services never see one.
  const { Busboy } = await import('@fastify/busboy');
  let form: InstanceType<typeof Busboy>;
  try {
    form = new Busboy({ headers: { 'content-type': contentType }, limits });
  } catch {
    throw invalid('Content-Type', 'must name the boundary of the form');
  }
  let file: Promise<ReceivedFile> | undefined;
  let title: string | undefined;
  form.on('field', (field, value) => {
    if (field === 'name' && value !== '') title = value;
  });
  form.on('file', (field, content, name) => {
    if (field !== 'file' || file) {
      content.resume();
      return;
    }
    file = readPart(content).then((read) => ({ bytes: read, name: name || undefined }));
    // Awaited below; until then a failure must not count as unhandled.
    file.catch(() => undefined);
  });
  try {
    await pipeline(bytes, form);
  } catch (error) {
    if (isAbort(error)) throw error;
    throw invalid('file', 'is in a form that cannot be read');
  }
  const received = await file;
  if (!received) throw invalid('file', 'is required: a field of the form');
  return { ...received, name: title ?? received.name };
}

/** Reads on after the limit, so that the form comes to its end. */
async function readPart(content: NodeJS.ReadableStream & { truncated?: boolean }): Promise<Buffer> {
  const parts: Buffer[] = [];
  for await (const part of content) parts.push(part as Buffer);
  if (content.truncated) throw tooLarge(mostFileBytes);
  return Buffer.concat(parts);
}

function brokenOff(): ApiError {
  return new ApiError('VALIDATION_ERROR', { reason: 'The upload broke off. Nothing was stored.' }, { detail: 'body' });
}

function isAbort(error: unknown): boolean {
  const { code, message } = error as NodeJS.ErrnoException;
  return message === 'aborted' && code === 'ECONNRESET';
}
