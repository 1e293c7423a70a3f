// Forms in public: their pages, what they take, the challenge, the script, and the links of mails that ask.

import { isObject } from '@rapport/contract';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { ApiError, invalid, invalidFields } from '../../../http/api-error.js';
import type { Served } from '../../../http/paths.js';
import { parseJson } from '../../../lib/parse-json.js';
import { answerInPages, chooseLanguage, findGenuine } from '../../messages/index.js';
import { type ConfirmNeeds, confirm, readAsked } from '../confirmation/confirm.js';
import { parseFormKey } from '../form-key.js';
import { countView, type PublicForm } from '../queries.js';
import type { Given } from '../submissions/read-values.js';
import { canAskByMail, type SubmitAnswer, type SubmitNeeds, submit } from '../submissions/submit.js';
import type { FindForm } from './find-forms.js';
import { answerOrigin, answerPreflight } from './origins.js';
import { sendDone, sendForm, sendPlain, sendProof, sendQuestion } from './pages.js';
import { formScript, scriptPath } from './script.js';
import type { formTexts } from './texts.js';

interface PublicNeeds extends SubmitNeeds, ConfirmNeeds {
  findForm: FindForm;
  /** What links are signed with; undefined when there is no such tenant. */
  findKey(tenantId: number): Promise<Buffer | undefined>;
}

export const publicPaths: readonly Served[] = [
  { method: 'GET', path: '/f/{formKey}' },
  { method: 'POST', path: '/f/{formKey}' },
  { method: 'GET', path: '/f/{formKey}/challenge' },
  { method: 'GET', path: scriptPath },
  { method: 'GET', path: '/t/y/{token}' },
  { method: 'POST', path: '/t/y/{token}' },
];

type WithKey = FastifyRequest<{ Params: { formKey: string } }>;
type WithToken = FastifyRequest<{ Params: { token: string } }>;

// Many times what a contact may have, so that a text that is too long is reported beside its field, and what was typed is kept.
const bodyLimit = 1024 * 1024;

export function installForms(http: FastifyInstance, needs: PublicNeeds): void {
  http.register(async (scope) => {
    answerInPages(scope);
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', { parseAs: 'string', bodyLimit }, (_request, body, done) => done(null, body));
    const at = (pattern: string) => ({ config: { area: 'open', pattern } }) as const;
    scope.get(scriptPath, at(scriptPath), (_request, reply) => sendScript(reply));
    const page = at('/f/{formKey}');
    scope.get('/f/:formKey', page, (request: WithKey, reply) => showForm(needs, request, reply));
    scope.post('/f/:formKey', { ...page, bodyLimit }, (request: WithKey, reply) => takePost(needs, request, reply));
    scope.options('/f/:formKey', page, (request: WithKey, reply) => preflight(needs, request, reply));
    const challenge = at('/f/{formKey}/challenge');
    scope.get('/f/:formKey/challenge', challenge, (request: WithKey, reply) => sendChallenge(needs, request, reply));
    scope.options('/f/:formKey/challenge', challenge, (request: WithKey, reply) => preflight(needs, request, reply));
    const link = at('/t/y/{token}');
    scope.get('/t/y/:token', link, (request: WithToken, reply) => askToConfirm(needs, request, reply));
    scope.post('/t/y/:token', { ...link, bodyLimit }, (request: WithToken, reply) => takeAnswer(needs, request, reply));
  });
}

function sendScript(reply: FastifyReply): FastifyReply {
  return reply
    .headers({ 'content-type': 'text/javascript; charset=utf-8', 'cache-control': 'public, max-age=3600' })
    .headers({ 'x-content-type-options': 'nosniff', 'cross-origin-resource-policy': 'cross-origin' })
    .send(formScript);
}

const languageOf = ({ headers }: FastifyRequest) => chooseLanguage(headers['accept-language']);

interface FoundForm {
  tenantId: number;
  form: PublicForm;
}

/** Undefined where it was answered: there is none, or it is closed. */
async function findOpen(
  { findForm }: PublicNeeds,
  request: WithKey,
  reply: FastifyReply,
): Promise<FoundForm | undefined> {
  const key = parseFormKey(request.params.formKey);
  const form = key && (await findForm(key));
  if (!key || !form) {
    sendPlain(reply, 404, languageOf(request), 'unknown');
    return undefined;
  }
  answerOrigin(request, reply, form);
  if (form.state === 'open') return { tenantId: key.tenantId, form };
  sendPlain(reply, 410, languageOf(request), 'closed', form);
  return undefined;
}

async function preflight(needs: PublicNeeds, request: WithKey, reply: FastifyReply): Promise<FastifyReply> {
  const key = parseFormKey(request.params.formKey);
  const form = key && (await needs.findForm(key));
  return answerPreflight(request, reply, form);
}

/** Hidden fields, and others that a link fills in, come from the page's query. */
async function showForm(needs: PublicNeeds, request: WithKey, reply: FastifyReply): Promise<FastifyReply> {
  const found = await findOpen(needs, request, reply);
  if (!found) return reply;
  const { tenantId, form } = found;
  if (isLookedAt(request)) await countView(needs.db, tenantId, form.formId, needs.clock.now().toISOString());
  const query = new URLSearchParams(queryOf(request));
  const hidden = form.fields.filter(({ type }) => type === 'hidden');
  const values = new Map(hidden.map(({ property }) => [property, query.get(property) ?? '']));
  const challenge = await needs.proofs.challenge(tenantId, form.formId);
  return sendForm(reply, languageOf(request), form, { values, faults: new Map() }, challenge);
}

function queryOf({ url }: FastifyRequest): string {
  const at = url.indexOf('?');
  return at < 0 ? '' : url.slice(at + 1);
}

function isLookedAt({ method, headers }: FastifyRequest): boolean {
  return method === 'GET' && !/\b(prefetch|prerender)\b/i.test(String(headers['sec-purpose'] ?? headers.purpose ?? ''));
}

async function sendChallenge(needs: PublicNeeds, request: WithKey, reply: FastifyReply): Promise<FastifyReply> {
  const found = await findOpen(needs, request, reply);
  if (!found) return reply;
  const challenge = await needs.proofs.challenge(found.tenantId, found.form.formId);
  return reply.headers({ 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' }).send(challenge);
}

async function takePost(needs: PublicNeeds, request: WithKey, reply: FastifyReply): Promise<FastifyReply> {
  const found = await findOpen(needs, request, reply);
  if (!found) return reply;
  const { tenantId, form } = found;
  const isJson = /^application\/json\b/i.test(request.headers['content-type'] ?? '');
  const seconds = await needs.bounds.post(request.ip, tenantId, form.formId);
  if (seconds > 0) return tooMany(request, reply, form, isJson, seconds);
  const body = String(request.body ?? '');
  const given = isJson ? givenByJson(body) : givenByPage(request, body);
  const language = languageOf(request);
  const answer = await submit(needs, { tenantId, form, given, language });
  if (answer.what === 'tooMany') return tooMany(request, reply, form, isJson, answer.seconds);
  if (isJson) return answerJson(reply, answer);
  if (answer.what === 'done') {
    const url = form.success?.url;
    return url === undefined ? sendDone(reply, language, form, answer.pending) : reply.redirect(new URL(url).href, 303);
  }
  const challenge = await needs.proofs.challenge(tenantId, form.formId);
  const values = new Map(form.fields.map(({ property }) => [property, String(given(property) ?? '')]));
  if (answer.what === 'faulty') return sendForm(reply, language, form, { values, faults: answer.faults }, challenge);
  return sendProof(reply, language, form, values, challenge, await canAskByMail(needs.db, tenantId, form));
}

function tooMany(
  request: WithKey,
  reply: FastifyReply,
  form: PublicForm,
  isJson: boolean,
  seconds: number,
): FastifyReply {
  const headers = { 'retry-after': String(seconds) };
  if (isJson) throw new ApiError('TOO_MANY_REQUESTS', { seconds }, { headers });
  return sendPlain(reply.headers(headers), 429, languageOf(request), 'tooMany', form);
}

function givenByPage({ headers }: FastifyRequest, body: string): Given {
  if (!/^application\/x-www-form-urlencoded\b/i.test(headers['content-type'] ?? ''))
    throw invalid('Content-Type', 'must be application/x-www-form-urlencoded or application/json');
  const fields = new URLSearchParams(body);
  return (name) => fields.get(name) ?? undefined;
}

function givenByJson(body: string): Given {
  let read: unknown;
  try {
    read = parseJson(body);
  } catch {
    read = undefined;
  }
  if (!isObject(read)) throw invalid('body', 'must be a JSON object');
  const values = read;
  return (name) => (Object.hasOwn(values, name) ? values[name] : undefined);
}

const noProof =
  'is required: the answer to the challenge at GET /f/{formKey}/challenge. Each can be used once, within an hour';

/** Faults are told in English: programs read them. */
function answerJson(reply: FastifyReply, answer: Exclude<SubmitAnswer, { what: 'tooMany' }>): FastifyReply {
  switch (answer.what) {
    case 'done':
      return reply.headers({ 'cache-control': 'no-store' }).send({ ok: true, pending: answer.pending });
    case 'prove':
      throw invalid('altcha', noProof);
    case 'faulty':
      throw invalidFields([...answer.faults].map(([field, fault]) => ({ field, reason: reasons[fault] })));
  }
}

const reasons = {
  required: 'is required',
  notAddress: 'is not an email address',
  notOption: 'is not one of the options',
  notText: 'must be text: valid Unicode without NUL',
  tooLong: 'is too long',
} as const satisfies Record<keyof (typeof formTexts)['en']['faults'], string>;

/** Changes nothing: scanners and previews follow every link. */
async function askToConfirm(needs: PublicNeeds, request: WithToken, reply: FastifyReply): Promise<FastifyReply> {
  const language = languageOf(request);
  const said = await findGenuine({ keyOf: needs.findKey }, 'confirm', request.params.token);
  const asked = said && (await readAsked(needs, said.tenantId, said.messageId));
  if (!asked) return sendPlain(reply, 404, language, 'badLink');
  if (asked.state === 'open') return sendQuestion(reply, language, asked);
  return sendPlain(reply, asked.state === 'used' ? 200 : 410, language, asked.state, asked);
}

async function takeAnswer(needs: PublicNeeds, request: WithToken, reply: FastifyReply): Promise<FastifyReply> {
  const language = languageOf(request);
  const said = await findGenuine({ keyOf: needs.findKey }, 'confirm', request.params.token);
  const asked = said && (await confirm(needs, said.tenantId, said.messageId));
  if (!asked) return sendPlain(reply, 404, language, 'badLink');
  const { state } = asked;
  if (state === 'open') return sendPlain(reply, 200, language, 'confirmed', asked);
  return sendPlain(reply, state === 'used' ? 200 : 410, language, state, asked);
}
