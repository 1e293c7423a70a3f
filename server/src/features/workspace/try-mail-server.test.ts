// A mail server is tried before it is used: each way in which it fails is told apart, in words with what to do.
import { createServer } from 'node:net';
import { afterEach, expect, it } from 'vitest';
import { type Reply, useApp } from '../../../test/app.js';
import { useDns } from '../../../test/dns.js';
import { listen, type SmtpScript, scriptedServer } from '../../../test/smtp.js';
import { after } from '../../../test/smtp-client.js';
import { makeTeam } from '../../../test/team.js';

const dns = useDns();
const t = useApp(() => ({ dnsServers: [dns.address], webhooks: { allowPrivate: true } }));
const guarded = useApp(() => ({ dnsServers: [dns.address] }));

const path = '/v2/workspace/transport';
function expectInvalid(reply: Reply, field: string): void {
  expect(reply.status).toBe(400);
  expect(reply.body.errors[0].detail).toBe(field);
}
const open: { close(): unknown }[] = [];
afterEach(async () => {
  for (const one of open.splice(0)) await one.close();
});

async function makeAdmin(app = t) {
  const { admin } = await makeTeam(app);
  expect((await admin.post('/v2/workspace/sending-domains', { domain: 'acme.example' })).status).toBe(200);
  const tried = async (body: object) => (await admin.post(`${path}/test`, body)).body.data;
  return { ...admin, tried };
}

async function serve(script: SmtpScript) {
  const server = await scriptedServer(script);
  open.push(server);
  return { server, at: { host: '127.0.0.1', port: server.port } };
}

it('sends a mail to the person who asks, and says so', async () => {
  const { tried } = await makeAdmin();
  const { server, at } = await serve({ extensions: ['AUTH PLAIN'] });
  const data = await tried({ ...at, user: 'mailer', password: 'hush-hush' });
  expect(data).toMatchObject({ ok: true, problem: null, isEncrypted: false, from: 'test@acme.example' });
  expect(data.message).toContain(`accepted a test email from test@acme.example to ${data.to}`);
  expect(data.message).toContain('not encrypted');
  expect(server.messages).toHaveLength(1);
  expect(server.messages[0]).toMatch(/^DKIM-Signature:/m);
  expect(server.commands).toContain(`RCPT TO:<${data.to}>`);
});

it.each([
  ['signIn', { extensions: ['AUTH PLAIN'], reply: after('AUTH', '535 5.7.8 No hush-hush') }, '535 5.7.8 No …'],
  ['noSignIn', {}, null],
  ['sender', { extensions: ['AUTH PLAIN'], reply: after('MAIL', '550 5.7.1 Not yours') }, '550 5.7.1 Not yours'],
  ['recipient', { extensions: ['AUTH PLAIN'], reply: after('RCPT', '550 5.7.1 No relay') }, '550 5.7.1 No relay'],
  ['content', { extensions: ['AUTH PLAIN'], taken: () => '554 5.7.1 Confirm it' }, '554 5.7.1 Confirm it'],
  ['rejected', { greeting: '554 5.3.2 Go away' }, '554 5.3.2 Go away'],
] as const)('tells what the server refused: %s', async (problem, script, reply) => {
  const { tried } = await makeAdmin();
  const { at } = await serve(script as SmtpScript);
  const data = await tried({ ...at, user: 'mailer', password: 'hush-hush' });
  expect(data).toMatchObject({ ok: false, problem, reply });
  expect(JSON.stringify(data)).not.toContain('hush-hush');
});

it('tells apart what keeps it from being reached', async () => {
  dns.set('A', 'here.example', '127.0.0.1');
  const { tried } = await makeAdmin();
  const closed = createServer();
  const free = await listen(closed);
  await new Promise((resolve) => closed.close(resolve));
  const { at } = await serve({ reply: (command) => (command === 'STARTTLS' ? '454 4.7.0 No TLS here' : undefined) });
  const problemOf = async (body: object) => (await tried(body)).problem;
  expect(await problemOf({ host: 'nowhere.example' })).toBe('nameNotFound');
  expect(await problemOf({ host: 'here.example', port: free })).toBe('refused');
  expect(await problemOf({ ...at, host: 'here.example', security: 'tls' })).toBe('encryption');
  expect(await problemOf({ ...at, host: 'here.example', security: 'starttls' })).toBe('encryption');
  expect(await problemOf({ smtpUrl: `smtp://here.example:${at.port}` })).toBeNull();
});

it('tries nothing inside the network, whatever a name leads to, and reveals no address', async () => {
  dns.set('A', 'inside.example', '10.1.2.3');
  const admin = await makeAdmin(guarded);
  const data = await admin.tried({ host: 'inside.example' });
  expect(data).toMatchObject({ ok: false, problem: 'notPublic' });
  expect(JSON.stringify(data)).not.toContain('10.1.2.3');
  expectInvalid(await admin.post(`${path}/test`, { host: '127.0.0.1' }), 'host');
  expectInvalid(await admin.post(`${path}/test`, { smtpUrl: 'smtp://localhost' }), 'smtpUrl');
});

it('tries the stored server with its password, until host or user change', async () => {
  const admin = await makeAdmin();
  expect((await admin.post(`${path}/test`, {})).status).toBe(404);
  const { server, at } = await serve({ extensions: ['AUTH PLAIN'] });
  const sent = { ...at, user: 'mailer', password: 'hush-hush' };
  expect((await admin.put(path, sent)).status).toBe(200);
  expect((await admin.tried({})).ok).toBe(true);
  expect((await admin.tried({ ...at, user: 'mailer' })).ok).toBe(true);
  const signIn = Buffer.from('\0mailer\0hush-hush').toString('base64');
  expect(server.commands.filter((command) => command === `AUTH PLAIN ${signIn}`)).toHaveLength(2);
  expectInvalid(await admin.post(`${path}/test`, { ...at, host: 'elsewhere.example', user: 'mailer' }), 'password');
  expectInvalid(await admin.post(`${path}/test`, { ...at, user: 'other' }), 'password');
});

it('sends no mail from a domain that is not one of the workspace', async () => {
  const admin = await makeAdmin();
  const { at, server } = await serve({});
  expectInvalid(await admin.post(`${path}/test`, { ...at, from: 'ceo@bank.example' }), 'from');
  expect(server.connections()).toBe(0);
});

it('ends after the sign-in while there is no sending domain', async () => {
  const { admin } = await makeTeam(t);
  const { at, server } = await serve({});
  const { data } = (await admin.post(`${path}/test`, at)).body;
  expect(data).toMatchObject({ ok: true, from: null, to: null });
  expect(data.message).toContain('add a sending domain');
  expect(server.commands.join()).not.toContain('MAIL');
});

it('is for admins', async () => {
  const { member } = await makeTeam(t);
  expect((await member.post(`${path}/test`, { host: 'smtp.example.com' })).status).toBe(403);
});
