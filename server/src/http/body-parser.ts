import { hash } from 'node:crypto';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { invalid, tooLarge } from './api-error.js';
import { isJsonType, malformed, type ParsedBody, parseJson } from './json.js';

/**
 * Parses JSON bodies. `asSegmentSends`: whatever their content type (browsers send text/plain to avoid a preflight,
 * RudderStack's Node client claims a form), and compressed, as clients for other languages may send them.
 */
export function installBodyParser(app: FastifyInstance, asSegmentSends = false): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (request, body: Buffer, done) => {
    const take = ({ value, text }: ParsedBody) => {
      request.bodyText = text;
      done(null, value);
    };
    const read = (bytes: Buffer) => {
      try {
        if (!asSegmentSends && !isJsonType(request.headers['content-type']))
          throw invalid('Content-Type', 'must be application/json in UTF-8');
        if (request.headers['idempotency-key'] !== undefined) request.bodyHash = hash('sha256', bytes);
        const parsed = parseJson(bytes);
        if (parsed instanceof Promise) parsed.then(take, done);
        else take(parsed);
      } catch (error) {
        done(error as Error);
      }
    };
    if (asSegmentSends && isEncoded(request)) unzipped(request, body).then(read, done);
    else read(body);
  });
}

function isEncoded({ headers }: FastifyRequest): boolean {
  return (headers['content-encoding'] ?? 'identity').trim().toLowerCase() !== 'identity';
}

const unzip = promisify(gunzip);

/** Stops at the route's limit: a few bytes can decompress to gigabytes. */
async function unzipped({ headers, routeOptions }: FastifyRequest, body: Buffer): Promise<Buffer> {
  if (!/^(x-)?gzip$/i.test((headers['content-encoding'] ?? '').trim()))
    throw invalid('Content-Encoding', 'must be gzip, or left out');
  try {
    return await unzip(body, { maxOutputLength: routeOptions.bodyLimit });
  } catch (error) {
    if ((error as { code?: string }).code === 'ERR_BUFFER_TOO_LARGE') throw tooLarge(routeOptions.bodyLimit);
    throw malformed('The body is not valid gzip.');
  }
}
