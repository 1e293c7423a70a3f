// Data with something odd in every place, and what a caller sees of it.
import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { gunzipSync } from 'node:zlib';
import pg from 'pg';
import { expect } from 'vitest';
import { projectDir } from './service.js';
import { callJson } from './tenant.js';

interface Place {
  url: string;
  token: string;
}

const post = ({ url, token }: Place, path: string, body: unknown) =>
  callJson(`${url}${path}`, { token, method: 'POST', body });

async function done(
  { url: base, token }: Place,
  acknowledged: { body: { data: { transactionId: string } } },
  kind: 'contacts' | 'events' = 'contacts',
): Promise<unknown> {
  const url = `${base}/v2/${kind}/transactions/${acknowledged.body.data.transactionId}`;
  for (;;) {
    const { data } = (await callJson(url, { token })).body;
    if (data.status === 'DONE') return data.results;
    await sleep(10);
  }
}

const odd = {
  first_name: 'Zoë "Z" O\\Brien\u2028\n\t😀',
  score: 0.1,
  seats: 9_007_199_254_740_991,
  tags: ['a', 1, null],
};

const thisMonth = new Date().toISOString().slice(0, 7);
/** Months with a partition, and dates that never get one. */
export const months = ['2000-01', '2019-02', '2020-02', '2020-03', thisMonth];
export const timeless = ['0001-01-01T00:00:00.000Z', '1999-12-31T23:59:59.999Z', '9999-12-31T23:59:59.999Z'];
export const dates = [
  ...months.flatMap((month) => [`${month}-01T00:00:00.000Z`, `${month}-01T00:00:00.001Z`]),
  ...timeless,
];

async function fillWithEvents(place: Place): Promise<void> {
  const events = dates.map((eventDate, i) => ({
    eventId: `event-${i}`,
    email: 'zoe@example.com',
    ...(i % 2 ? { userId: 'zoe' } : {}),
    eventName: i % 3 ? 'report_exported' : odd.first_name,
    eventDate,
    // Looks like the date column: code that reads the file as text must not be misled by it.
    eventProperties: i % 3 ? { event_date: '2010-10-10', seats: odd.seats, deep: { text: odd.first_name } } : {},
  }));
  const results = await done(place, await post(place, '/v2/events', { events }), 'events');
  expect(results).toEqual(events.map(({ eventId }) => ({ eventId, status: 'STORED' })));
}

// A picture of one dot.
const dot = Buffer.from('R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7', 'base64');

/** A picture in a saved block. */
async function fillWithBlocks(place: Place): Promise<void> {
  const headers = { authorization: `Bearer ${place.token}`, 'content-type': 'image/gif' };
  const sent = await fetch(`${place.url}/v2/files?name=dot.gif`, { method: 'POST', headers, body: dot });
  const { data } = (await sent.json()) as { data: { url: string } };
  const blocks = [
    { type: 'image', src: data.url, alt: odd.first_name },
    { type: 'text', content: [{ type: 'paragraph', spans: [{ text: odd.first_name, bold: true }] }] },
  ];
  expect((await post(place, '/v2/blocks', { name: 'Header', blocks })).status).toBe(200);
}

export async function fillWithData(place: Place): Promise<void> {
  const { body } = await post(place, '/v2/lists', { name: 'Kept', folder: 'A folder' });
  const contacts = Array.from({ length: 1500 }, (_, i) => ({ email: `person${i}@example.com`, properties: { i } }));
  await done(place, await post(place, '/v2/contacts/batch', { contacts: contacts.slice(0, 1000) }));
  await done(place, await post(place, '/v2/contacts/batch', { contacts: contacts.slice(1000) }));
  await done(place, await post(place, '/v2/contacts', { email: 'zoe@example.com', properties: odd }));
  // A change from nothing: JSON null, which is not SQL's NULL.
  await done(
    place,
    await post(place, '/v2/contacts/batch', { contacts: [{ email: 'zoe@example.com', properties: { title: 'CTO' } }] }),
  );
  await done(place, await post(place, '/v2/contacts', { email: 'zoe@example.com' }));
  const zoe = await callJson(`${place.url}/v2/contacts/by-email/zoe@example.com`, { token: place.token });
  await post(place, `/v2/lists/${body.data.staticListId}/members`, { contactIds: [zoe.body.data.id] });
  await fillWithEvents(place);
  await fillWithBlocks(place);
  await fillWithTranslations(place);
}

/** An email in two languages besides its own, and the theme and sender that new emails begin with. */
async function fillWithTranslations(place: Place): Promise<void> {
  const design = {
    version: 1,
    blocks: [
      { type: 'text', content: [{ type: 'paragraph', spans: [{ text: 'Grüß Gott 👋' }] }] },
      { type: 'footer', address: '-' },
    ],
  };
  expect((await post(place, '/v2/workspace/sending-domains', { domain: 'example.com' })).status).toBe(200);
  const made = await post(place, '/v2/emails', {
    ...{ name: 'Greeting', subject: 'Hello', html: '<p>Hello</p>{{unsubscribe_url}}' },
    fromEmail: { email: 'hello@example.com' },
    languages: { de: { subject: 'Hallo', design }, fr: { subject: 'Salut', preheader: '' } },
  });
  expect(made.status, JSON.stringify(made.body)).toBe(200);
  const { status } = await callJson(`${place.url}/v2/workspace/email-theme`, {
    ...{ token: place.token, method: 'PUT' },
    body: { theme: { button: '#0b6b4f', dark: { surface: '#101010' } } },
  });
  expect(status).toBe(200);
  const sender = await callJson(`${place.url}/v2/workspace/default-sender`, {
    ...{ token: place.token, method: 'PUT' },
    body: { fromEmail: { email: 'hello@example.com', name: 'Müller & Söhne' }, replyTo: 'help@example.com' },
  });
  expect(sender.status).toBe(200);
}

export interface Picture {
  lists: unknown;
  members: unknown;
  people: unknown;
  zoe: unknown;
  log: unknown;
  events: unknown[];
  blocks: unknown;
  translations: unknown;
  theme: unknown;
  sender: unknown;
  files: unknown;
  /** What everyone can read at the address of the file. */
  bytes: string;
}

/** What a caller sees, without the response's time and the port of the service. */
export async function readPicture({ url, token }: Place): Promise<Picture> {
  const read = async (path: string) => {
    const { status, body } = await callJson(`${url}${path}`, { token });
    expect(status).toBe(200);
    return { data: body.data, pagination: body.pagination };
  };
  const lists = await read('/v2/lists');
  const zoe = await read('/v2/contacts/by-email/zoe@example.com');
  const files = await read('/v2/files');
  // Its address has the port of this start.
  const path = new URL(files.data[0].url).pathname;
  const shown = await fetch(`${url}${path}`);
  const [email] = (await read('/v2/emails')).data;
  return {
    translations: (await read(`/v2/emails/${email.id}`)).data.languages,
    theme: await read('/v2/workspace/email-theme'),
    sender: await read('/v2/workspace/default-sender'),
    blocks: (await read('/v2/blocks')).data.map((block: object) =>
      JSON.stringify(block).replaceAll(/http:[^"]*\/files/g, ''),
    ),
    files: { ...files, data: files.data.map((file: object) => ({ ...file, url: path })) },
    bytes: `${shown.status} ${shown.headers.get('content-type')} ${Buffer.from(await shown.arrayBuffer()).toString('base64')}`,
    lists,
    members: await read(`/v2/lists/${lists.data[0].staticListId}/members`),
    people: await read('/v2/contacts?pageSize=200&pageNumber=3'),
    zoe,
    log: await read(`/v2/contacts/${zoe.data.id}/activity-log`),
    events: [
      await read(`/v2/contacts/${zoe.data.id}/product-activity?pageSize=6`),
      await read(`/v2/contacts/${zoe.data.id}/product-activity?pageSize=6&pageNumber=3`),
      await read(`/v2/contacts/${zoe.data.id}/product-activity?startTime=2020-02-01T00:00:00.001Z&endTime=2020-03-01`),
      await read(`/v2/contacts/${zoe.data.id}/activity`),
    ],
  };
}

/** Every row of a backup, sorted. */
export async function rowsIn(backup: string): Promise<string[]> {
  const lines = gunzipSync(await readFile(backup))
    .toString('utf8')
    .split('\n');
  return lines.slice(1, -2).sort();
}

/** `npm run rapport -- …`, without npm. */
export function rapport(args: string[], env: Record<string, string>): Promise<{ code: number; output: string }> {
  const { PATH, HOME } = process.env;
  return new Promise((resolve) => {
    const options = { cwd: projectDir, env: { PATH, HOME, ...env } };
    execFile(process.execPath, ['scripts/rapport.js', ...args], options, (error, stdout, stderr) =>
      resolve({ code: error ? Number(error.code) : 0, output: stdout + stderr }),
    );
  });
}

export async function query(connectionString: string, text: string): Promise<pg.QueryResult> {
  const client = new pg.Client({ connectionString });
  await client.connect();
  return client.query(text).finally(() => client.end());
}
