// Where providers report what became of messages: `POST /hooks/mail/{tenantId}.{token}`. Outside /v1 and /v2: the secret is in
// the URL, the format is the provider's, and most providers look only at the response status.
import type { Provider } from '@rapport/contract';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { BodyRoom } from '../../../http/crowd.js';
import { jsonType } from '../../../http/envelope.js';
import type { Served } from '../../../http/paths.js';
import type { Clock } from '../../../lib/clock.js';
import type { Notice } from '../notices.js';
import { fetchAws } from './fetch-aws.js';
import { readGeneric } from './generic.js';
import { readMailgun } from './mailgun.js';
import { readPostmark } from './postmark.js';
import { NotGenuine, type Post, type Reader } from './reading.js';
import { readResend } from './resend.js';
import { readSendgrid } from './sendgrid.js';
import { sesReader } from './ses.js';
import type { Aws } from './sns.js';

/** A hook, as `features/sending` finds it. */
export interface Hook {
  tenantId: number;
  provider: Provider;
  key: string | null;
}

interface HookNeeds {
  clock: Clock;
  findHook(tenantId: number, token: string): Promise<Hook | undefined>;
  /** Resolves once the notices are stored. */
  takeNotices(tenantId: number, notices: readonly Notice[]): Promise<void>;
  /** Whether the token was first seen with this body, or is new. */
  claimToken(tenantId: number, token: string, body: Buffer): Promise<boolean>;
  /** A replacement for the AWS client, for tests. */
  aws?: Aws;
}

const pattern = '/hooks/mail/{hook}';
export const hookPaths: readonly Served[] = [{ method: 'POST', path: pattern }];

// Bytes of bodies in progress: two of the largest per tenant, six in total.
const mostBodies = { perTenant: 20 * 1024 * 1024, together: 60 * 1024 * 1024, short: 64 * 1024 };

export function installHooks(http: FastifyInstance, needs: HookNeeds): void {
  const readers: Record<Provider, Reader> = {
    generic: readGeneric,
    postmark: readPostmark,
    ses: sesReader(needs.aws ?? fetchAws()),
    sendgrid: readSendgrid,
    mailgun: readMailgun,
    resend: readResend,
  };
  const hooks = new WeakMap<FastifyRequest, Hook>();
  const room = new BodyRoom(mostBodies);

  /** Before the body is read, so that only callers who know the URL can send megabytes. */
  const admit = async (request: FastifyRequest, reply: FastifyReply) => {
    const hook = await findHook(request, needs);
    if (!hook) return reply.code(401).send();
    const noRoom = room.enter(hook.tenantId, request, reply);
    if (noRoom) throw noRoom;
    hooks.set(request, hook);
  };

  const take = async (request: FastifyRequest, reply: FastifyReply) => {
    const { tenantId, provider, key } = hooks.get(request) as Hook;
    const read = readers[provider];
    try {
      const post = postOf(request, key, needs.clock);
      const { notices, skipped, token } = await read(post);
      // Repeating the same request is fine: a provider that got no response sends it again.
      if (token !== undefined && !(await needs.claimToken(tenantId, token, post.body)))
        throw new NotGenuine('Its signature came with another body before.');
      if (notices.length > 0) await needs.takeNotices(tenantId, notices);
      if (skipped > 0) request.log.warn({ tenantId, provider, skipped }, 'events of a mail hook could not be read');
      reply.header('content-type', jsonType);
      return skipped > 0 ? `{"success":true,"skipped":${skipped}}` : '{"success":true}';
    } catch (error) {
      if (!(error instanceof NotGenuine)) throw error;
      request.log.warn({ tenantId, provider, why: error.message }, 'a request to a mail hook is not genuine');
      return reply.code(401).send();
    }
  };

  http.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    // Accepts any content type, because SNS sends text/plain. The bytes stay unchanged for the signatures.
    scope.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));
    const config = { area: 'open', pattern } as const;
    scope.route({ method: 'POST', url: '/hooks/mail/:hook', config, onRequest: admit, handler: take });
  });
}

async function findHook({ params }: FastifyRequest, needs: HookNeeds): Promise<Hook | undefined> {
  const { hook } = params as { hook: string };
  const [, tenant, token] = /^([1-9]\d{0,14})\.([\w-]{1,200})$/.exec(hook) ?? [];
  return tenant === undefined || token === undefined ? undefined : needs.findHook(Number(tenant), token);
}

function postOf({ headers, body }: FastifyRequest, key: string | null, clock: Clock): Post {
  return {
    header: (name) => {
      const value = headers[name];
      return Array.isArray(value) ? value[0] : value;
    },
    body: Buffer.isBuffer(body) ? body : Buffer.alloc(0),
    key,
    now: clock.now(),
  };
}
