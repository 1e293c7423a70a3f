import { execFile } from 'node:child_process';
import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { story } from '../../src/demo/story.js';
import { eventually, startMailServer } from '../messages.js';
import { clusterOf } from './postgres-processes.js';
import { cleanUp, makeDataDir, runService, type Service, startService } from './service.js';
import { callJson, makeTenant, readAdminToken } from './tenant.js';

let dataDir: string;
let service: Service;

beforeAll(async () => {
  dataDir = await makeDataDir();
  service = await startService({ dataDir });
});
afterAll(cleanUp);

async function readSecret(name: string): Promise<string> {
  const file = join(dataDir, name);
  expect((await stat(file)).mode & 0o777).toBe(0o600);
  return (await readFile(file, 'utf8')).trim();
}

function bannerOf(output: string): string {
  return output
    .split('\n')
    .filter((line) => !line.startsWith('{'))
    .join('\n');
}

describe('the banner', () => {
  it('shows the address, the docs and the demo token', async () => {
    const banner = bannerOf(service.stdout());
    expect(banner).toContain(`Rapport is ready at ${service.url}`);
    expect(banner).toContain(`${service.url}/docs`);
    expect(banner).toContain(`Demo      ${await readSecret('demo-token')}`);
    expect(banner).toContain('admin-token');
    expect((await fetch(`${service.url}/docs`)).status).toBe(200);
  });

  it('shows a link that signs the admin of the demo tenant in, once', async () => {
    const link = /^ {2}Sign in {3}(http\S+)$/m.exec(service.stdout())?.[1] ?? '';
    expect(link).toMatch(new RegExp(`^${service.url}/oauth/link\\?token=[\\w-]{43}$`));
    const page = await fetch(link);
    const text = await page.text();
    expect(text).toContain('Demo Admin');
    const form = new URLSearchParams(
      [...text.matchAll(/name="(form|token)" value="([^"]+)"/g)].map(([, name = '', value = '']): [string, string] => [
        name,
        value,
      ]),
    );
    const headers = { cookie: page.headers.get('set-cookie')?.split(';')[0] ?? '', origin: service.url };
    const press = () => fetch(`${service.url}/oauth/link`, { method: 'POST', body: form, headers, redirect: 'manual' });
    const pressed = await press();
    expect([pressed.status, pressed.headers.get('location')]).toEqual([303, '/console']);
    const cookie = pressed.headers.get('set-cookie')?.split(';')[0] ?? '';
    const session = await (await fetch(`${service.url}/oauth/session`, { headers: { cookie } })).json();
    expect(session).toMatchObject({
      person: { email: 'admin@example.com' },
      workspace: { name: 'Demo', role: 'admin' },
    });
    expect((await press()).status).toBe(410);
  });

  it.each([
    ['lists', 'name'],
    ['product-activity', 'eventName'],
    ['messages', 'state'],
    ['journeys', 'status'],
  ])('has a curl line for %s that works when pasted', async (path, key) => {
    const line = new RegExp(`^ *(curl .*/${path}\\?.*)$`, 'm').exec(service.stdout())?.[1] ?? '';
    const { stdout } = await promisify(execFile)('sh', ['-c', line.replace('curl', 'curl -sS')]);
    const answer = JSON.parse(stdout);
    expect(answer.meta.status).toBe('SUCCESS');
    expect(answer.data).toHaveLength(2);
    expect(answer.data[0][key]).toEqual(expect.any(String));
  });
});

it('gives the demo tenant a journey that its events run through, and one that a calendar runs', async () => {
  const token = await readSecret('demo-token');
  const read = async (path: string) => (await callJson(`${service.url}${path}`, { token })).body.data;
  const [scheduled, started] = await read('/v2/journeys?status=active');
  expect(scheduled).toMatchObject({ type: 'batch', nextRunTime: expect.stringMatching(/T0[78]:00:00.000Z$/) });
  expect(started).toMatchObject({ name: 'Onboarding', type: 'trigger' });
  const ends = await eventually(
    async () => {
      const rows: { state: string; stepId: string }[] = await read(`/v2/journeys/${started.journeyId}/enrolments`);
      return rows.map(({ state, stepId }) => `${state} at ${stepId}`).sort();
    },
    (found) => found.filter((each) => each.startsWith('completed')).length === 2,
  );
  expect(ends).toEqual(['active at imports', 'completed at power', 'completed at power']);
});

it('gives the demo tenant a broadcast that was sent, with one who did not want it', async () => {
  const token = await readSecret('demo-token');
  const read = async (path: string) => (await callJson(`${service.url}${path}`, { token })).body.data;
  const [{ broadcastId }] = await read('/v2/broadcasts');
  const shown = await eventually(
    () => read(`/v2/broadcasts/${broadcastId}`),
    ({ status }) => status === 'sent',
  );
  expect(shown).toMatchObject({ total: 3, progress: { sent: 2, skipped: 1 } });
  expect(await read('/v2/stats/broadcasts')).toMatchObject([{ broadcastId, sent: 2, delivered: 2, uniqueOpened: 1 }]);
});

it('gives the demo tenant folders and lists', async () => {
  const token = await readSecret('demo-token');
  const folders = await callJson(`${service.url}/v2/folders`, { token });
  const lists = await callJson(`${service.url}/v2/lists`, { token });
  expect(folders.body.data.length).toBeGreaterThan(0);
  expect(lists.body.data.length).toBeGreaterThan(0);
  expect(lists.body.data.some((list: { directoryId?: string }) => list.directoryId)).toBe(true);
});

it('gives the demo tenant messages whose fate can be followed', async () => {
  const token = await readSecret('demo-token');
  const read = async () => (await callJson(`${service.url}/v2/messages`, { token })).body;
  const { data, pagination } = await eventually(
    read,
    ({ data: rows }) =>
      rows.some(({ firstClickedAt }: { firstClickedAt: string | null }) => firstClickedAt) &&
      rows.some(({ kind }: { kind: string }) => kind === 'journey'),
  );
  // A dozen from today, and some from every day of the last weeks.
  expect(pagination.totalElements).toBeGreaterThan(100);
  const states = new Set(data.map(({ state }: { state: string }) => state));
  expect([...states].sort()).toEqual(['bounced', 'cancelled', 'delivered', 'queued', 'sent', 'skipped']);
  const suppressions = await callJson(`${service.url}/v2/suppressions`, { token });
  expect(suppressions.body.data).toMatchObject([
    { email: 'linus@example.com', reason: 'bounced' },
    { email: 'hedy@example.com', reason: 'manual' },
  ]);
  const ada = (await callJson(`${service.url}/v2/contacts/by-email/ada@example.com`, { token })).body.data.id;
  const activity = await callJson(`${service.url}/v2/contacts/${ada}/marketing-activity`, { token });
  expect(activity.body.data).toContainEqual(
    expect.objectContaining({ eventName: 'clicked', linkUrl: 'https://example.com/start', isMachine: false }),
  );
  const outbox = await callJson(`${service.url}/v2/outbox`, { token });
  const welcome = outbox.body.data.find(({ subject }: { subject: string }) => subject === 'Welcome, Barbara');
  const kept = await callJson(`${service.url}/v2/outbox/${encodeURIComponent(welcome.messageId)}`, { token });
  expect(kept.body.data.html).toContain(`${service.url}/t/c/`);
});

it('gives the demo tenant emails made of blocks, with parts for some people only', async () => {
  const token = await readSecret('demo-token');
  const emails = (await callJson(`${service.url}/v2/emails`, { token })).body.data;
  expect(emails.map(({ name }: { name: string }) => name)).toEqual(['Product update, November', 'Welcome']);
  for (const { id } of emails) {
    const { design } = (await callJson(`${service.url}/v2/emails/${id}`, { token })).body.data;
    expect(design.blocks.map(({ type }: { type: string }) => type)).toEqual(expect.arrayContaining(['if', 'footer']));
  }
  const seen = async (email: string) => {
    const path = `${service.url}/v2/emails/${emails[1].id}/preview`;
    const { html } = (await callJson(path, { token, method: 'POST', body: { email } })).body.data;
    return html.includes('You are on the free plan');
  };
  expect([await seen('alan@example.com'), await seen('ada@example.com')]).toEqual([true, false]);
});

it('gives the demo tenant topics, a form, somebody who confirmed and somebody who has not answered', async () => {
  const token = await readSecret('demo-token');
  const topics = (await callJson(`${service.url}/v2/topics`, { token })).body.data;
  expect(topics.map(({ name }: { name: string }) => name)).toEqual(['Events and webinars', 'Product news']);
  expect(topics[1]).toMatchObject({ subscribed: 1, unsubscribed: 0, pending: 1 });
  const [form] = (await callJson(`${service.url}/v2/forms`, { token })).body.data;
  expect(form).toMatchObject({ name: 'Newsletter', state: 'open', counts: { submitted: 2, confirmed: 1, refused: 0 } });
  expect((await fetch(form.url)).status).toBe(200);
});

it('gives the people of the demo tenant a past of some weeks, and no future', async () => {
  const token = await readSecret('demo-token');
  const read = async (name: string) => {
    const contact = await callJson(`${service.url}/v2/contacts/by-email/${name}@example.com`, { token });
    const url = `${service.url}/v2/contacts/${contact.body.data.id}/product-activity?pageSize=200`;
    return (await callJson(url, { token })).body;
  };
  const ada = await read('ada');
  expect(ada.pagination.totalElements).toBe(ada.data.length);
  expect(ada.data.at(-1)).toEqual({
    userId: 'ada',
    orgId: 'engines',
    eventName: 'account_created',
    eventDate: expect.stringMatching(/T09:12:00\.000Z$/),
    eventProperties: { source: 'invitation' },
  });
  const hedy = await read('hedy');
  const others = await Promise.all(['katherine', 'margaret', 'grace'].map(read));
  const stored = [ada, hedy, ...others].reduce((sum, { pagination }) => sum + pagination.totalElements, 0);
  expect(stored).toBe(story(new Date()).events.length);
  expect(hedy.data[0]).toMatchObject({ userId: null, orgId: null, eventProperties: {} });
  const dates = [...ada.data, ...hedy.data].map((event: { eventDate: string }) => Date.parse(event.eventDate));
  expect(Math.max(...dates)).toBeLessThan(Date.now());
  expect(Math.min(...dates)).toBeGreaterThan(Date.now() - 50 * 86_400_000);
});

it('refuses a second service on the same DATA_DIR while the first goes on', async () => {
  const second = runService({ dataDir });
  expect((await second.exited).code).toBe(1);
  expect(second.stderr()).toContain(`Another Rapport service is running on this DATA_DIR (${dataDir})`);
  expect(second.stderr()).not.toContain('    at ');
  expect((await fetch(`${service.url}/readyz`)).status).toBe(200);
});

it('keeps its tokens from start to start, and every secret out of its output', async () => {
  const demoToken = await readSecret('demo-token');
  const adminToken = await readSecret('admin-token');
  const tenant = await makeTenant(service);
  await callJson(`${service.url}/v2/lists?search=needle-in-the-query`, { token: tenant.token });
  await callJson(`${service.url}/v2/lists/needle-in-the-path`, { token: demoToken });
  await callJson(`${service.url}/v2/lists`, { token: 'rpt_pat_a-guess-that-is-nobodys-token-but-looks-like-one' });
  expect(await service.stop()).toBe(0);

  const { base, cluster } = await clusterOf(dataDir);
  const password = (await readFile(join(cluster, 'rapport-password'), 'utf8')).trim();
  const output = service.stdout() + service.stderr() + (await readFile(join(base, 'postgres.log'), 'utf8'));
  expect(output).toContain('"route":"/v2/lists"');
  for (const secret of [adminToken, tenant.token, password, 'a-guess-that', 'needle-in'])
    expect(output).not.toContain(secret);
  // Once beside the word Demo, once in each curl line.
  expect(bannerOf(output).split(demoToken)).toHaveLength(6);
  expect(output.split(demoToken)).toHaveLength(6);

  const linkOf = (said: string) => /Sign in {3}(http\S+)/.exec(said)?.[1];
  const before = service;
  service = await startService({ dataDir });
  expect(linkOf(service.stdout())).toMatch(/token=[\w-]{43}$/);
  expect(linkOf(service.stdout())).not.toBe(linkOf(before.stdout()));
  expect(await readSecret('demo-token')).toBe(demoToken);
  expect(await readSecret('admin-token')).toBe(adminToken);
  expect(bannerOf(service.stdout())).toContain(demoToken);
  expect(bannerOf(service.stdout())).toContain('/product-activity?');
  expect((await callJson(`${service.url}/v2/lists`, { token: demoToken })).status).toBe(200);
  expect((await callJson(`${service.url}/v2/lists`, { token: tenant.token })).status).toBe(200);
});

it('shows no demo token when DEMO is off, and takes ADMIN_TOKEN and BASE_URL as given', async () => {
  const other = await makeDataDir();
  const env = { DEMO: 'off', ADMIN_TOKEN: 'given-by-the-operator', BASE_URL: 'http://rapport.example/' };
  const run = runService({ dataDir: other, env: { ...env, PORT: '0' } });
  // Whatever its name is, it listens where it was told to. The log may come after the banner.
  const listening = /Server listening at (http:\/\/[\d.]+:\d+)/;
  const isReady = () => run.stdout().includes('Rapport is ready at') && listening.test(run.stdout());
  while (!isReady()) await new Promise((resolve) => setTimeout(resolve, 20));
  expect(run.stdout()).toContain('Rapport is ready at http://rapport.example\n');
  const [, address = ''] = listening.exec(run.stdout()) ?? [];
  expect((await fetch(`${address}/healthz`)).status).toBe(200);
  expect(run.stdout()).not.toMatch(/rpt_pat_|given-by-the-operator/);
  await expect(readAdminToken(other)).rejects.toThrow('ENOENT');
  await expect(stat(join(other, 'demo-token'))).rejects.toThrow('ENOENT');
  run.signal('SIGTERM');
  expect((await run.exited).code).toBe(0);
});

it('sends no mail to the people of the demo tenant where there is a mail server', async () => {
  const mails = await startMailServer();
  const other = await startService({ dataDir: await makeDataDir(), env: { SMTP_URL: mails.url } });
  const token = (await readFile(join(other.dataDir, 'demo-token'), 'utf8')).trim();
  expect((await callJson(`${other.url}/v2/messages`, { token })).body.data).toEqual([]);
  expect(await other.stop()).toBe(0);
  expect(mails.mails).toEqual([]);
  await mails.close();
});
