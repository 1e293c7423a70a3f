// Who may do what, by role: as specified, not as the route objects say.
import { routes } from '@rapport/contract';
import { beforeAll, describe, expect, it } from 'vitest';
import { type Reply, useApp } from '../../../test/app.js';
import { makeTeam, type Team } from '../../../test/team.js';

const t = useApp();
let team: Team;
beforeAll(async () => {
  team = await makeTeam(t);
});

function expectShut(reply: Reply): void {
  expect(reply).toMatchObject({ status: 403, text: '' });
  expect(reply.headers).not.toHaveProperty('content-type');
  expect(reply.headers['www-authenticate']).toMatch(/^Bearer .*, error="insufficient_scope"/);
}

const domain = { domain: 'acme.example' };
const forAdmins: [string, string, unknown?][] = [
  ['PATCH', '/workspace', { name: 'Renamed' }],
  ['POST', '/workspace/sending-domains', domain],
  ['POST', '/workspace/sending-domains/acme.example/check'],
  ['POST', '/workspace/sending-domains/acme.example/share'],
  ['DELETE', '/workspace/sending-domains/acme.example/share'],
  ['DELETE', '/workspace/sending-domains/acme.example'],
  ['PUT', '/workspace/branding', { name: 'Acme' }],
  ['POST', '/workspace/branding/preview', { name: 'Acme' }],
  ['PUT', '/workspace/email-theme', { theme: { button: '#0b6b4f' } }],
  ['PUT', '/workspace/default-sender', { replyTo: 'help@acme.example' }],
  ['GET', '/workspace/transport'],
  ['PUT', '/workspace/transport', { smtpUrl: 'smtp://mail.acme.example' }],
  ['POST', '/workspace/transport/test', {}],
  ['DELETE', '/workspace/transport'],
  ['GET', '/workspace/alert-webhook'],
  ['PUT', '/workspace/alert-webhook', { url: 'https://hooks.example.com/secret' }],
  ['POST', '/workspace/alert-webhook/test'],
  ['DELETE', '/workspace/alert-webhook'],
  ['GET', '/workspace/mail-hooks'],
  ['POST', '/workspace/mail-hooks', { provider: 'generic' }],
  ['DELETE', '/workspace/mail-hooks/aaaaaaaaaaaaaaaaaaaaaaaa'],
  ['PATCH', '/people/999999', { role: 'admin' }],
  ['POST', '/people/999999/deactivate'],
  ['POST', '/people/999999/reactivate'],
  ['GET', '/invitations'],
  ['POST', '/invitations', { email: 'new@example.com', role: 'admin' }],
  ['POST', '/invitations/999999/resend'],
  ['DELETE', '/invitations/999999'],
  ['GET', '/audit-log'],
];
const readable = [
  ...[
    '/alerts',
    '/me',
    '/me/alerts',
    '/me/weekly-summary',
    '/workspace',
    '/workspace/branding',
    '/workspace/default-sender',
    '/workspace/email-theme',
    '/workspace/health',
    '/workspace/sending-domains',
  ],
  ...['/people', '/tokens'],
];

describe.each(forAdmins)('%s /v2%s', (method, path, body) => {
  it('is for admins: a member and a viewer get 403 without a body, whatever they send', async () => {
    for (const who of [team.member, team.viewer]) {
      expectShut(await who.send(method, `/v2${path}`, body));
      expectShut(await who.send(method, `/v2${path}`, body === undefined ? undefined : {}));
    }
    for (const who of [team.admin, team.program])
      expect([200, 404]).toContain((await who.send(method, `/v2${path}`, body)).status);
  });
});

it.each(readable)('GET /v2%s is for everybody', async (path) => {
  for (const who of [team.admin, team.member, team.viewer]) expect((await who.get(`/v2${path}`)).status).toBe(200);
});

it('lets members make and revoke tokens, but not viewers', async () => {
  const wanted = { name: 'mine', scopes: ['READ'] };
  const made = await team.member.post('/v2/tokens', wanted);
  expect(made.status).toBe(200);
  expectShut(await team.viewer.post('/v2/tokens', wanted));
  expectShut(await team.viewer.delete(`/v2/tokens/${made.body.data.tokenId}`));
  expect((await team.member.delete(`/v2/tokens/${made.body.data.tokenId}`)).status).toBe(200);
});

it('covers every route of a workspace: a route in neither table belongs in one', () => {
  const tags = ['Workspace', 'People', 'Tokens', 'Audit log'];
  const ours = routes.filter(({ tag, adminOnly }) => tags.includes(tag) && adminOnly);
  expect(ours).toHaveLength(forAdmins.length);
  const open = routes.filter(({ tag, adminOnly, method }) => tags.includes(tag) && !adminOnly && method === 'GET');
  expect(open.map(({ path }) => path).sort()).toEqual([...readable].sort());
});

it('says in the documents which routes are for admins', async () => {
  const { body } = await t.anonymous.get('/openapi/v2.json');
  expect(body.paths['/v2/audit-log'].get.description).toContain('the READ scope, of an account with the role admin');
  expect(body.paths['/v2/people'].get.description).not.toContain('role admin');
});
