// What the console asks about its session, in JSON. Without the envelope: the API proper is /v2, with the token that is issued here.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { invalid } from '../../../http/api-error.js';
import type { Served } from '../../../http/paths.js';
import type { FirstAdmin } from '../first-admin.js';
import { takeTry } from '../throttle/throttle.js';
import { type BrowserNeeds, issueToken, switchWorkspace } from './browser.js';
import { type SessionHandler, sessionRoute } from './session-route.js';
import type { Session, Workspace } from './sessions.js';

const serves: Served[] = [
  { method: 'GET', path: '/oauth/session' },
  { method: 'POST', path: '/oauth/session/token' },
  { method: 'POST', path: '/oauth/session/workspace' },
];

// Many tabs open at once, a loop in a script does not.
const mostTokens = { most: 300, seconds: 900 };

const nobody = { person: null, workspace: null, workspaces: [] };

export function sessionRoutes(needs: BrowserNeeds, firstAdmin: FirstAdmin) {
  const { sessions } = needs;
  /** For the form with which the console signs people in. */
  const formOf = (request: FastifyRequest, reply: FastifyReply) => sessions.cookies.formToken(request, reply);
  const route = (path: string, ...answers: [SessionHandler, Parameters<typeof sessionRoute>[3]?]) =>
    sessionRoute(sessions, path, ...answers);
  return {
    serves,
    install: (http: FastifyInstance) => {
      http.get(
        '/oauth/session',
        // Asking whether anyone is signed in is not an error.
        route(
          '/oauth/session',
          async (request, reply, session) => ({ ...(await about(needs, session)), form: formOf(request, reply) }),
          async (request, reply) => ({
            ...nobody,
            ...withLines(await firstAdmin.lines()),
            form: formOf(request, reply),
            hasEnded: sessions.hasEnded(request),
          }),
        ),
      );
      http.post(
        '/oauth/session/token',
        route('/oauth/session/token', (...asked) => giveToken(needs, ...asked)),
      );
      http.post(
        '/oauth/session/workspace',
        route('/oauth/session/workspace', async (request, _reply, session) => {
          const tenantId = namedIn(request);
          if (tenantId === undefined) throw invalid('tenantId', 'must be the number of a workspace');
          const entered = await switchWorkspace(needs, session, tenantId, request.ip);
          return about(needs, { ...session, tenantId: entered.tenantId });
        }),
      );
    },
  };
}

/** For a service without people. */
const withLines = (firstAdmin: string[] | undefined) => (firstAdmin ? { firstAdmin } : {});

async function about({ sessions }: BrowserNeeds, session: Session) {
  const workspaces = (await sessions.workspaces(session)).map(shown);
  const workspace = workspaces.find((each) => each.tenantId === session.tenantId) ?? null;
  return { person: person(session), workspace, workspaces };
}

/** The workspace that a request names, if it names one. */
function namedIn({ body }: FastifyRequest): number | undefined {
  const { tenantId } = (body ?? {}) as { tenantId?: unknown };
  if (tenantId === undefined) return undefined;
  if (typeof tenantId !== 'number' || !Number.isSafeInteger(tenantId))
    throw invalid('tenantId', 'must be the number of a workspace');
  return tenantId;
}

async function giveToken(needs: BrowserNeeds, request: FastifyRequest, reply: FastifyReply, session: Session) {
  const wait = await takeTry(needs.db, [{ key: `browser-token:${session.sessionId}`, ...mostTokens }]);
  if (wait > 0) {
    reply.code(429).header('retry-after', String(wait)).send();
    return undefined;
  }
  const given = await issueToken(needs, session, namedIn(request));
  if (!given) return undefined;
  return {
    ...given,
    ...{ workspace: shown(given.workspace), workspaces: given.workspaces.map(shown), person: person(session) },
  };
}

function shown({ tenantId, name, role }: Workspace) {
  return { tenantId, name, role };
}

/** `needsPassword`: they came by a link and have none to come back with. One for single sign-on is not asked for. */
function person({ name, email, hasPassword, ssoTenantId }: Session) {
  return { name, email, needsPassword: !hasPassword && ssoTenantId === null };
}
