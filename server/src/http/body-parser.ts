import { hash } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import { invalid } from './api-error.js';
import { isJsonType, parseJson } from './json.js';

/** Bodies are JSON. `takesText`: also under the name text/plain, by which a browser sends them without asking first. */
export function installBodyParser(app: FastifyInstance, takesText = false): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (request, body: Buffer, done) => {
    try {
      const given = request.headers['content-type'];
      const type = takesText ? given?.replace(/^text\/plain/i, 'application/json') : given;
      if (!isJsonType(type)) throw invalid('Content-Type', 'must be application/json in UTF-8');
      if (request.headers['idempotency-key'] !== undefined) request.bodyHash = hash('sha256', body);
      const { value, text } = parseJson(body);
      request.bodyText = text;
      done(null, value);
    } catch (error) {
      done(error as Error);
    }
  });
}
