// What the account page of the console asks and sends, in JSON like everything about a session. /oauth/account leads to that page.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Served } from '../../../http/paths.js';
import { type FormFields, pagesOf } from '../forms.js';
import { findPerson, type PersonRow } from '../people/queries.js';
import { countRecoveryCodes } from '../second-factor/queries.js';
import { findTrial, hasSecondFactor } from '../second-factor/second-factor.js';
import { type BrowserRow, selectSessions } from '../sessions/queries.js';
import { sessionRoute } from '../sessions/session-route.js';
import type { Session } from '../sessions/sessions.js';
import { tooMany } from '../sign-in/page.js';
import { browserName } from './browser-name.js';
import { changes, forgotPassword, type ProfileNeeds } from './profile.js';
import { qrCode } from './qr-code.js';

const path = '/oauth/session/account';
const page = '/console/account';

export function profileRoutes(needs: ProfileNeeds) {
  const { sessions } = needs;
  // Where the page was before: links to it are in mails and bookmarks.
  const before = pagesOf({ 'GET /oauth/account': async (_request, reply) => reply.redirect(page, 303) });
  const serves: Served[] = [...before.serves, { method: 'GET', path }, { method: 'POST', path }];
  return {
    serves,
    install: (http: FastifyInstance) => {
      before.install(http);
      http.get(
        path,
        sessionRoute(sessions, path, (_request, _reply, session) => show(needs, session)),
      );
      http.post(
        path,
        sessionRoute(sessions, path, (...asked) => change(needs, ...asked)),
      );
    },
  };
}

async function show(needs: ProfileNeeds, session: Session) {
  const { db, clock, sessions } = needs;
  const [person, browsers, workspaces, codesLeft, isForgotten] = await Promise.all([
    findPerson(db, session.personId),
    selectSessions(db, session.personId, clock.now().toISOString()),
    sessions.workspaces(session),
    countRecoveryCodes(db, session.personId),
    forgotPassword(needs, session),
  ]);
  if (!person) return undefined;
  const isOwn = session.ssoTenantId === null;
  // A session by single sign-on is told nothing that reaches beyond its workspace.
  const hasPassword = isOwn && person.passwordHash !== null;
  const secondFactor = { isOn: hasSecondFactor(person), codesLeft, trial: trialOf(needs, person) };
  return {
    ...{ name: person.name, email: person.email, isOwn, hasPassword },
    asksPassword: hasPassword && !isForgotten,
    secondFactor: isOwn ? secondFactor : null,
    workspaces: workspaces.map(({ tenantId, name, role }) => ({
      ...{ tenantId, name, role, isHere: tenantId === session.tenantId },
    })),
    browsers: browsers
      .filter(({ sessionId }) => isOwn || sessionId === session.sessionId)
      .map((each) => shownBrowser(each, session)),
  };
}

/** A second factor that they are trying. */
function trialOf({ box }: ProfileNeeds, person: PersonRow) {
  const trial = findTrial(box, person);
  return trial ? { secret: trial.secret, code: qrCode(trial.uri) } : null;
}

function shownBrowser({ sessionId, agent, address, createdAt, seenAt }: BrowserRow, session: Session) {
  return { sessionId, name: browserName(agent), address, createdAt, seenAt, isThis: sessionId === session.sessionId };
}

/** Answers `good`, a sentence; `codes`, which only this answer shows; or `bad`, why nothing was done. */
async function change(needs: ProfileNeeds, request: FastifyRequest, reply: FastifyReply, session: Session) {
  const person = await findPerson(needs.db, session.personId);
  if (!person) return undefined;
  const { do: what = '', ...fields } = fieldsOf(request);
  const work = Object.hasOwn(changes, what) ? changes[what] : undefined;
  if (!work) return refuse(reply, 400, 'This change is unknown. Reload the page, and try again.');
  // The identity provider of one workspace belongs to its admins: it must not open the others.
  if (session.ssoTenantId !== null) return refuse(reply, 403, 'Sign in with your password to change this.');
  const outcome = await work(needs, { session, person, fields, address: request.ip });
  if ('wait' in outcome) return refuse(reply.header('retry-after', String(outcome.wait)), 429, tooMany(outcome.wait));
  return 'bad' in outcome ? refuse(reply, 400, outcome.bad) : outcome;
}

function refuse(reply: FastifyReply, status: number, bad: string) {
  reply.code(status);
  return { bad };
}

/** Only text without NUL, as a form would send it. */
function fieldsOf({ body }: FastifyRequest): FormFields {
  const given = Object.entries((body ?? {}) as Record<string, unknown>);
  const isText = (field: [string, unknown]): field is [string, string] =>
    typeof field[1] === 'string' && !field[1].includes('\0');
  return Object.fromEntries(given.filter(isText));
}
