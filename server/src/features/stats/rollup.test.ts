// GET /v2/journeys/stats: every filter of the collection, one row per journey, and the limit of one request.
import { countNames } from '@rapport/contract';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { adminToken, type TenantClient, useApp } from '../../../test/app.js';
import { type Mailer, makeMailer } from '../../../test/messages.js';
import { usePost } from '../../../test/statistics.js';
import { type App, buildApp } from '../../app.js';
import { sql } from '../../db/sql.js';

const post = usePost();
const t = useApp(post.options);
let mailer: Mailer;
let folderId: string;
const ids: Record<string, string> = {};

async function make(name: string, body: Record<string, unknown> = {}): Promise<string> {
  const made = await mailer.post('/v2/journeys', { name, type: 'trigger', ...body });
  if (made.status !== 200) throw new Error(made.text);
  ids[name] = made.body.data.journeyId;
  return made.body.data.journeyId;
}

// biome-ignore lint/suspicious/noExplicitAny: tests look into answers freely
async function rollup(query = '', as: TenantClient = mailer): Promise<any> {
  const { status, body, text } = await as.get(`/v2/journeys/stats?${query}`);
  if (status !== 200) throw new Error(text);
  return body.data;
}
const namesOf = ({ journeys }: { journeys: { name: string }[] }) => journeys.map(({ name }) => name);

beforeAll(async () => {
  mailer = await makeMailer(t);
  folderId = (await mailer.post('/v2/folders', { name: 'Filed' })).body.data.directoryId;
  const definition = (mails: number) => ({
    entry: { api: true },
    steps: [
      ...Array.from({ length: mails }, (_, i) => ({ id: `mail${i}`, type: 'sendEmail', emailId: mailer.emailId })),
      { id: 'wait', type: 'delay', for: 'P1D' },
    ],
  });
  await make('Welcome', { tags: ['a', 'b'], definition: definition(1) });
  await make('Goodbye', { tags: ['b'], folderId, definition: definition(2) });
  await make('Welcome back', { type: 'batch' });
  for (const name of ['Welcome', 'Goodbye']) await mailer.post(`/v2/journeys/${ids[name]}/activate`);
  for (const [name, count] of [
    ['Welcome', 2],
    ['Goodbye', 1],
  ] as const) {
    const contactIds = [];
    for (let i = 0; i < count; i++) contactIds.push(await mailer.contact(`${name}${i}@x.io`));
    await mailer.post(`/v2/journeys/${ids[name]}/enroll`, { contactIds });
  }
  for (let tries = 0; (await rollup()).totals.sent < 4 && tries < 1000; tries++)
    await new Promise((resolve) => setTimeout(resolve, 10));
  await mailer.post(`/v2/journeys/${ids.Goodbye}/deactivate`);
  for (let tries = 0; (await rollup()).totals.exited < 1 && tries < 1000; tries++)
    await new Promise((resolve) => setTimeout(resolve, 10));
});

describe('the rollup', () => {
  it('has a row for each journey, in the order of the collection, and the totals of all', async () => {
    const { journeys, totals } = await rollup();
    expect(journeys).toMatchObject([
      { name: 'Welcome back', type: 'batch', status: 'draft', sent: 0, entered: 0, inProgress: 0 },
      {
        name: 'Goodbye',
        status: 'inactive',
        sent: 2,
        delivered: 2,
        entered: 1,
        exited: 1,
        completed: 0,
        inProgress: 0,
      },
      { name: 'Welcome', type: 'trigger', status: 'active', sent: 2, entered: 2, exited: 0, inProgress: 2 },
    ]);
    const listed = (await mailer.get('/v2/journeys')).body.data;
    expect(journeys.map((row: { journeyId: string }) => row.journeyId)).toEqual(
      listed.map((row: { journeyId: string }) => row.journeyId),
    );
    expect(totals).toMatchObject({ sent: 4, delivered: 4, entered: 3, exited: 1, completed: 0, inProgress: 2 });
    expect(totals.rates).toEqual({
      ...{ deliveryRate: 1, openRate: 0, clickRate: 0, clickToOpenRate: 0, bounceRate: 0, unsubscribeRate: 0 },
    });
  });

  it('agrees with each journey’s own statistics', async () => {
    for (const row of (await rollup()).journeys) {
      const { body } = await mailer.get(`/v2/journeys/${row.journeyId}/stats`);
      const { entered, completed, exited, inProgress, reachedGoal, rates } = body.data;
      expect(row).toMatchObject({ entered, completed, exited, inProgress, reachedGoal, rates });
      for (const name of countNames) expect([name, row[name]]).toEqual([name, body.data[name]]);
    }
  });

  it.each([
    ['status=active', ['Welcome']],
    ['status=active&status[]=draft', ['Welcome back', 'Welcome']],
    ['status%5B%5D=inactive', ['Goodbye']],
    ['type=batch', ['Welcome back']],
    ['type[]=batch&type[]=trigger', ['Welcome back', 'Goodbye', 'Welcome']],
    ['tag=b', ['Goodbye', 'Welcome']],
    ['tag=a&tag=nothing', ['Welcome']],
    ['tag=', []],
    ['search=WELCOME', ['Welcome back', 'Welcome']],
    ['search=', ['Welcome back', 'Goodbye', 'Welcome']],
    ['search=welcome&tag=b', ['Welcome']],
    ['folderId=no-folder', []],
    ['folder_id=', []],
    ['pageSize=1&pageNumber=7', ['Welcome back', 'Goodbye', 'Welcome']],
  ])('takes the filters of the collection: %s', async (query, names) => {
    const shown = await rollup(query);
    expect(namesOf(shown)).toEqual(names);
    const sum = shown.journeys.reduce((all: number, { sent }: { sent: number }) => all + sent, 0);
    expect(shown.totals.sent).toBe(sum);
  });

  it('takes the email that journeys send, in both spellings', async () => {
    for (const query of [`emailId=${mailer.emailId}`, `email_id=${mailer.emailId}`]) {
      const shown = await rollup(query);
      expect(namesOf(shown)).toEqual(['Goodbye', 'Welcome']);
      expect(shown.totals.sent).toBe(4);
    }
    expect(namesOf(await rollup(`emailId=${mailer.emailId}&tag=a`))).toEqual(['Welcome']);
    for (const none of ['', 'nope', 'f'.repeat(24)]) expect(namesOf(await rollup(`emailId=${none}`))).toEqual([]);
  });

  it('takes a folder in both spellings, but not in both at once', async () => {
    expect(namesOf(await rollup(`folderId=${folderId}`))).toEqual(['Goodbye']);
    expect(namesOf(await rollup(`folder_id=${folderId}`))).toEqual(['Goodbye']);
    const { status } = await mailer.get(`/v2/journeys/stats?folder_id=${folderId}&folderId=${folderId}`);
    expect(status).toBe(400);
  });

  it('counts what happened in the window, and who is on the way now', async () => {
    const later = await rollup('start_time=2999-01-01T00:00:00Z');
    expect(later.totals).toMatchObject({ sent: 0, entered: 0, exited: 0, inProgress: 2 });
    expect(namesOf(later)).toHaveLength(3);
    const until = await rollup(`startTime=2020-01-01&endTime=${new Date(Date.now() + 60_000).toISOString()}`);
    expect(until).toEqual(await rollup());
    expect((await rollup('startTime=2999-01-01&endTime=2020-01-01')).totals).toMatchObject({ sent: 0, inProgress: 2 });
  });

  it.each(['status=Active', 'status=', 'type=none', 'startTime=now', 'end_time='])('refuses %s', async (query) => {
    const { status, body } = await mailer.get(`/v2/journeys/stats?${query}`);
    expect([status, body.errors[0].errorCode]).toEqual([400, 'VALIDATION_ERROR']);
  });

  it('shows nothing of another tenant', async () => {
    const other = await t.tenant();
    const { journeys, totals } = await rollup('', other);
    expect(journeys).toEqual([]);
    expect(totals).toMatchObject({ sent: 0, delivered: 0, entered: 0, inProgress: 0 });
  });

  it('leaves deleted journeys out', async () => {
    const id = await make('Gone');
    expect(namesOf(await rollup('search=gone'))).toEqual(['Gone']);
    await mailer.delete(`/v2/journeys/${id}`);
    expect(namesOf(await rollup('search=gone'))).toEqual([]);
  });
});

describe('too many journeys for one request', () => {
  let small: App;
  beforeAll(async () => {
    const log = pino({ level: 'silent' });
    small = buildApp({ db: t.db, adminToken, baseUrl: () => 'http://rapport.test', log, rollupLimit: 2 });
    await small.http.ready();
  });
  afterAll(() => small.close());

  it('are refused with advice, whatever page is asked for; fewer are not', async () => {
    const ask = (query: string) =>
      small.http.inject({ url: `/v2/journeys/stats?${query}`, headers: { authorization: `Bearer ${mailer.token}` } });
    for (const query of ['', 'pageSize=1', 'pageNumber=2', 'startTime=2999-01-01']) {
      const refused = await ask(query);
      expect(refused.statusCode).toBe(400);
      const [error] = refused.json().errors;
      expect(error.errorCode).toBe('RESULT_SET_TOO_LARGE');
      expect(error.message).toContain('more than 2 journeys');
      expect(error.message).toContain('Narrow the filter');
    }
    expect((await ask('tag=b')).json().data.journeys).toHaveLength(2);
  });

  it('are 501 by default, and 500 are answered', async () => {
    const { tenantId, ...tenant } = await t.tenant();
    await tenant.post('/v2/journeys', { name: 'J 0', type: 'trigger' });
    // As if users had created the others.
    const copy = (from: number, to: number) =>
      t.db.run(sql`
        insert into journey (tenant_id, journey_id, name, name_folded, name_grams, type, tags, created_by, updated_by)
        select j.tenant_id, decode(lpad(to_hex(n), 24, '0'), 'hex'), 'J ' || n, 'j ' || n, j.name_grams, 'trigger', '{}',
          j.created_by, j.updated_by
        from journey j cross join generate_series(${from}::integer, ${to}::integer) n
        where j.tenant_id = ${tenantId} and j.name = 'J 0'`);
    await copy(1, 499);
    const { body } = await tenant.get('/v2/journeys/stats');
    expect(body.data.journeys).toHaveLength(500);
    await copy(500, 500);
    const { status, body: refused } = await tenant.get('/v2/journeys/stats');
    expect([status, refused.errors[0].errorCode]).toEqual([400, 'RESULT_SET_TOO_LARGE']);
    expect((await tenant.get('/v2/journeys/stats?search=J%201')).status).toBe(200);
  });
});
