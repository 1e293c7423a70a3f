// Bounces to the built service: a real mail server accepted a message, and another returns it, to the listener or by hand.
import { execFile } from 'node:child_process';
import { type AddressInfo, connect, createServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { createTransport } from 'nodemailer';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { deliveryReport, outOfOffice } from '../bounces.js';
import { emailBody } from '../emails.js';
import { type CaughtMail, type MailServer, startMailServer } from '../messages.js';
import { cleanUp, makeDataDir, projectDir, runService, type Service, startService } from './service.js';
import { callJson, makeTenant, readAdminToken } from './tenant.js';

let mails: MailServer;
let service: Service;
let token: string;
let emailId: string;

beforeAll(async () => {
  mails = await startMailServer();
  const env = { DEMO: 'off', SMTP_URL: mails.url, INBOUND_SMTP_PORT: '0' };
  service = await startService({ dataDir: await makeDataDir(), env });
  const tenant = await makeTenant(service);
  token = tenant.token;
  const admin = await readAdminToken(service.dataDir);
  const domains = `${service.url}/admin/tenants/${tenant.tenantId}/sending-domains`;
  await callJson(domains, { token: admin, method: 'POST', body: { domain: 'example.com' } });
  emailId = (await call('POST', '/v2/emails', emailBody())).emailId;
});
afterAll(async () => {
  await cleanUp();
  await mails.close();
});

async function call(method: string, path: string, body?: unknown) {
  const answer = await callJson(`${service.url}${path}`, { token, method, body });
  if (answer.status !== 200) throw new Error(JSON.stringify(answer.body));
  return answer.body.data;
}

async function until<T>(read: () => Promise<T> | T, isRight: (value: T) => boolean): Promise<T> {
  for (;;) {
    const value = await read();
    if (isRight(value)) return value;
    await sleep(20);
  }
}

/** A message that was sent: its id, and the mail. */
async function send(to: string): Promise<{ messageId: string; mail: CaughtMail }> {
  const { transactionId } = await call('POST', '/v1/contacts', { email: to, properties: {} });
  await until(
    () => call('GET', `/v1/contacts/transactions/${transactionId}`),
    ({ status }) => status === 'DONE',
  );
  const { messageId } = await call('POST', '/v2/messages', { emailId, email: to });
  await until(
    () => call('GET', `/v2/messages/${messageId}`),
    ({ state }) => state === 'sent',
  );
  return { messageId, mail: mails.to(to)[0] as CaughtMail };
}

function reportOn({ to, raw }: CaughtMail): string {
  return deliveryReport({
    status: `Reporting-MTA: dns; mx.example.net

Final-Recipient: rfc822; ${to}
Action: failed
Status: 5.1.1
Diagnostic-Code: smtp; 550 5.1.1 <${to}>: Recipient address rejected: User unknown
`,
    returned: { type: 'message/rfc822', text: raw },
  });
}

async function expectBounced(messageId: string, email: string): Promise<void> {
  const message = await until(
    () => call('GET', `/v2/messages/${messageId}`),
    ({ state }) => state !== 'sent',
  );
  expect(message).toMatchObject({ state: 'bounced', reason: expect.stringMatching(/^5(50|\.1\.1) /) });
  const suppressions = await call('GET', '/v2/suppressions');
  expect(suppressions).toContainEqual({ email, reason: 'bounced', createdAt: expect.any(String) });
}

const inboundPort = () => Number(/Bounces {3}smtp:\/\/127\.0\.0\.1:(\d+)/.exec(service.stdout())?.[1]);

function deliver(to: string, raw: string) {
  const transport = createTransport({ host: '127.0.0.1', port: inboundPort(), secure: false });
  return transport.sendMail({ envelope: { from: '', to }, raw }).finally(() => transport.close());
}

it('takes a bounce where its port is, which the banner names, and nothing for other addresses', async () => {
  const { messageId, mail } = await send('gone@example.org');
  expect(mail.from).toMatch(/^b-[0-9a-z]+-[0-9a-f]{32}-[0-9a-f]{12}@example\.com$/);
  for (const to of ['postmaster@example.com', mail.from.replace(/[0-9a-f]@/, 'x@')])
    await expect(deliver(to, reportOn(mail))).rejects.toMatchObject({ responseCode: 550 });
  expect((await call('GET', `/v2/messages/${messageId}`)).state).toBe('sent');
  await deliver(mail.from, reportOn(mail));
  await expectBounced(messageId, 'gone@example.org');
});

/** `npm run rapport -- bounce < mail`, without npm. */
function bounce(mail: string): Promise<{ code: number; output: string }> {
  const { PATH, HOME } = process.env;
  return new Promise((resolve) => {
    const options = { cwd: projectDir, env: { PATH, HOME, DATA_DIR: service.dataDir } };
    const args = ['scripts/rapport.js', 'bounce'];
    const child = execFile(process.execPath, args, options, (error, stdout, stderr) =>
      resolve({ code: error ? Number(error.code) : 0, output: stdout + stderr }),
    );
    child.stdin?.end(mail);
  });
}

it('takes one by hand, beside the running service', async () => {
  const { messageId, mail } = await send('left@example.org');
  expect(await bounce(`Delivered-To: ${mail.from}\n${reportOn(mail)}`)).toEqual({
    code: 0,
    output: expect.stringMatching(new RegExp(`^Taken: message ${messageId} of tenant \\d+ bounced for good \\(5`)),
  });
  await expectBounced(messageId, 'left@example.org');
  expect(await bounce(outOfOffice)).toEqual({ code: 1, output: expect.stringContaining('This mail is no report') });
});

it('says in one sentence that the port is taken, before it starts anything', async () => {
  const squatter = createServer();
  await new Promise<void>((resolve) => squatter.listen(0, '127.0.0.1', resolve));
  const { port } = squatter.address() as AddressInfo;
  const run = runService({ dataDir: await makeDataDir(), env: { INBOUND_SMTP_PORT: String(port) } });
  expect((await run.exited).code).toBe(1);
  expect(run.stderr()).toContain(
    `Port ${port} of 127.0.0.1 is taken: another program listens there. Stop it, or set INBOUND_SMTP_PORT to a free port.`,
  );
  await new Promise((resolve) => squatter.close(resolve));
});

it('stops even while a client is connected to it', async () => {
  const idle = connect(inboundPort(), '127.0.0.1').on('error', () => undefined);
  await new Promise((resolve) => idle.once('data', resolve));
  expect(await service.stop()).toBe(0);
});
