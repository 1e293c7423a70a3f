import { parse } from 'csv-parse/sync';
import { describe, expect, it } from 'vitest';
import { useApp } from '../../../../test/app.js';
import { makeEmail, tenantWithDomain } from '../../../../test/emails.js';
import { seedFigures, seedLink, seedPassage } from '../../../../test/figures.js';
import { makeActive } from '../../../../test/journeys.js';
import { sql } from '../../../db/sql.js';
import { systemClock } from '../../../lib/clock.js';
import { type Sheet, sheets } from './sheets.js';
import { titlesOf } from './titles.js';

const t = useApp({ rollupLimit: 2 });
const hour = '2026-11-14T08:00:00Z';
const counts =
  'sent,delivered,opened,uniqueOpened,clicked,uniqueClicked,bounced,hardBounced,softBounced,unsubscribed,complained,failed,machineOpened,machineClicked';
const rates = 'deliveryRate,openRate,clickRate,clickToOpenRate,bounceRate,unsubscribeRate';

interface Made {
  tenant: Awaited<ReturnType<typeof tenantWithDomain>>;
  journeyId: string;
  emailId: string;
}

async function make(): Promise<Made> {
  const tenant = await tenantWithDomain(t);
  const emailId = await makeEmail(tenant, { name: 'Welcome' });
  const steps = [
    { id: 'mail', name: 'First mail', type: 'sendEmail', emailId },
    { id: 'end', type: 'exit' },
  ];
  const journeyId = await makeActive(tenant, { name: '=HYPERLINK("x")', definition: { entry: { api: true }, steps } });
  const figures = { [hour]: { sent: 4, delivered: 2, hardBounced: 1 } };
  const subjects = ['t', 'd:-evil.example', `e:${emailId}:default`, `j:${journeyId}:mail:${emailId}`];
  for (const subject of subjects) await seedFigures(t, tenant, subject, figures);
  await seedLink(t, tenant, emailId, 'https://example.com/a,b', {
    [hour]: { clicked: 2, uniqueClicked: 1, machineClicked: 3 },
  });
  await seedPassage(t, tenant, journeyId, hour, {
    '': { entered: 4, completed: 1 },
    mail: { entered: 4, left: 1, 'took:80': 1 },
  });
  return { tenant, journeyId, emailId };
}

const nothing = '0,0,0,0,0,0,0,0,0,0,0,0,0,0';
const some = '4,2,0,0,0,0,1,1,0,0,0,0,0,0';
const someRates = '0.5,0,0,0,0.25,0';

describe('a file', () => {
  it.each<[string, (made: Made) => string, string, (made: Made) => string[]]>([
    [
      'overview',
      () => 'overview?startTime=2026-11-13&endTime=2026-11-14T23:59:59.999Z',
      'overview-2026-11-13-to-2026-11-14.csv',
      () => [`time,${counts},engaged`, `2026-11-13T00:00:00.000Z,${nothing},0`, `2026-11-14T00:00:00.000Z,${some},0`],
    ],
    [
      'domains',
      () => 'domains',
      'domains-all-time.csv',
      () => [`domain,${counts},${rates},complaintRate`, `'-evil.example,${some},${someRates},0`],
    ],
    [
      'emails',
      () => 'emails',
      'emails-all-time.csv',
      ({ emailId }) => [`emailId,name,${counts},${rates}`, `${emailId},Welcome,${some},${someRates}`],
    ],
    [
      'links',
      ({ emailId }) => `links?email_id=${emailId}`,
      'links-all-time.csv',
      ({ emailId }) => [
        'url,emailId,clicked,uniqueClicked,machineClicked',
        `"https://example.com/a,b",${emailId},2,1,3`,
      ],
    ],
    [
      'journeys',
      () => 'journeys?status=active',
      'journeys-all-time.csv',
      ({ journeyId }) => [
        `journeyId,name,type,status,${counts},${rates},entered,completed,exited,inProgress,reachedGoal,goalRate,heldEntered,heldGoalRate,difference`,
        `${journeyId},"'=HYPERLINK(""x"")",trigger,active,${some},${someRates},4,1,0,3,0,,,,`,
      ],
    ],
    [
      'a journey',
      ({ journeyId }) => `journeys/${journeyId}`,
      'journey-{id}-all-time.csv',
      () => [
        `stepId,name,type,entered,left,inProgress,${counts}`,
        `mail,First mail,sendEmail,4,1,3,${some}`,
        `end,,exit,0,0,0,${nothing.replace(/0/g, '')}`,
      ],
    ],
    [
      'a funnel',
      ({ journeyId }) => `funnel/${journeyId}`,
      'funnel-{id}-all-time.csv',
      () => [
        'stepId,name,type,entered,left,inProgress,share,p50,p90',
        'mail,First mail,sendEmail,4,1,3,1,1.024,1.024',
        'end,,exit,0,0,0,0,,',
      ],
    ],
    [
      'an email',
      ({ emailId }) => `emails/${emailId}?interval=hour`,
      'email-{id}-all-time.csv',
      () => [`time,${counts}`, `2026-11-14T08:00:00.000Z,${some}`],
    ],
  ])('of %s has a header and what the read in JSON has', async (_what, pathOf, name, linesOf) => {
    const made = await make();
    const { status, headers, text } = await made.tenant.get(`/exports/stats/${pathOf(made)}`);
    expect(status).toBe(200);
    expect(headers['content-type']).toBe('text/csv; charset=utf-8');
    const file = name.replace('{id}', name.startsWith('email') ? made.emailId : made.journeyId);
    expect(headers['content-disposition']).toBe(`attachment; filename="${file}"`);
    expect(headers['x-ratelimit-limit']).toBeDefined();
    expect(text).toBe(
      linesOf(made)
        .map((line) => `${line}\r\n`)
        .join(''),
    );
  });

  it.each([
    ['startTime=2026-11-01&endTime=2026-11-30T23:59:59.999Z', '2026-11-01-to-2026-11-30'],
    ['startTime=2026-11-01&endTime=2026-11-01T11:00:00Z', '2026-11-01'],
    ['start_time=2026-11-01T01:00:00%2B02:00', 'from-2026-10-31'],
    ['endTime=2026-11-30', 'until-2026-11-30'],
  ])('is named after the period of %s, by days of UTC', async (query, period) => {
    const tenant = await t.tenant();
    const nameOf = async (sheet: string) =>
      (await tenant.get(`/exports/stats/${sheet}?${query}`)).headers['content-disposition'];
    expect(await nameOf('domains')).toBe(`attachment; filename="domains-${period}.csv"`);
    expect(await nameOf('broadcasts')).toBe(`attachment; filename="sends-${period}.csv"`);
  });

  it.each([
    ['overview', 'Time,Sent,Delivered,All opens,Opened,All clicks,Clicked,Bounced,Hard bounces,Soft bounces,'],
    ['emails', 'Email ID,Email,Sent,Delivered,All opens,Opened,'],
    ['broadcasts', 'Send ID,Send,Started,Sent,'],
    ['journeys', 'Journey ID,Journey,Type,Status,Sent,'],
    ['links', 'Link,Email ID,All clicks,Clicked,Automated clicks'],
    ['domains', 'Domain,Sent,'],
  ])('of %s has the titles of the console where asked', async (sheet, titles) => {
    const tenant = await t.tenant();
    const { text } = await tenant.get(`/exports/stats/${sheet}?headers=titles`);
    expect(text.startsWith(titles), text).toBe(true);
  });

  it('has a title for every column', () => {
    for (const sheet of sheets)
      for (const title of titlesOf(sheet))
        expect([sheet.name, title]).toEqual([sheet.name, expect.stringMatching(/^[A-Z9]/)]);
  });

  it('has all domains, whatever page is asked for', async () => {
    const tenant = await t.tenant();
    const domains = Array.from({ length: 2100 }, (_, i) => `d${String(i).padStart(4, '0')}.example`);
    await t.db.run(sql`
      insert into message_tally_delta (tenant_id, subject, hour, sent)
      select ${tenant.tenantId}::bigint, 'd:' || domain, ${hour}::timestamptz, 1 from unnest(${domains}::text[]) domain`);
    const { text } = await tenant.get('/exports/stats/domains?pageNumber=2&pageSize=5000');
    const rows: Record<string, string>[] = parse(text, { columns: true });
    expect(rows.map(({ domain }) => domain)).toEqual(domains);
  });
});

describe('files', () => {
  it('are guarded like the API', async () => {
    const writer = await t.tenant({ scopes: ['WRITE'] });
    const { tenant, journeyId, emailId } = await make();
    const [other, slow] = [await t.tenant(), await t.tenant({ rateLimit: 1 })];
    const paths = [
      'overview',
      'domains',
      'links',
      'journeys',
      `journeys/${journeyId}`,
      `funnel/${journeyId}`,
      `emails/${emailId}`,
    ];
    for (const path of paths.map((each) => `/exports/stats/${each}`)) {
      const anonymous = await t.anonymous.get(path);
      expect([anonymous.status, anonymous.text]).toEqual([401, '']);
      expect((await writer.get(path)).status).toBe(403);
      const post = await tenant.post(path, {});
      expect([post.status, post.headers.allow]).toEqual([405, 'GET, HEAD']);
      if (!path.includes(journeyId) && !path.includes(emailId)) continue;
      for (const [client, asked] of [
        [other, path],
        [tenant, path.replace(/[0-9a-f]{24}/, 'nonsense')],
      ] as const) {
        const { status, body } = await client.get(asked);
        expect([status, body.errors[0].errorCode]).toEqual([404, 'NOT_FOUND']);
      }
    }
    expect((await slow.get('/exports/stats/domains')).status).toBe(200);
    expect((await slow.get('/exports/stats/domains')).status).toBe(429);
  });

  it('refuse what the reads in JSON refuse, in the envelope', async () => {
    const { tenant } = await make();
    const refusal = async (path: string) => {
      const { status, body } = await tenant.get(`/exports/stats/${path}`);
      return [status, body.meta.status, body.errors[0].errorCode, body.errors[0].detail];
    };
    expect(await refusal('domains?startTime=yesterday')).toEqual([400, 'FAILURE', 'VALIDATION_ERROR', 'startTime']);
    expect(await refusal('domains?headers=both')).toEqual([400, 'FAILURE', 'VALIDATION_ERROR', 'headers']);
    expect(await refusal('overview?interval=week')).toEqual([400, 'FAILURE', 'VALIDATION_ERROR', 'interval']);
    expect(await refusal('journeys?status=gone')).toEqual([400, 'FAILURE', 'VALIDATION_ERROR', 'status']);
    expect(await refusal('links?emailId=a&email_id=b')).toEqual([400, 'FAILURE', 'VALIDATION_ERROR', 'emailId']);
    for (const name of ['second', 'third']) await makeActive(tenant, { name });
    expect((await refusal('journeys')).slice(0, 3)).toEqual([400, 'FAILURE', 'RESULT_SET_TOO_LARGE']);
  });

  it('have a limit of rows, and say how to stay below it', async () => {
    const { tenant, emailId } = await make();
    for (const path of ['/a', '/b']) await seedLink(t, tenant, 'a'.repeat(24), path, { [hour]: { clicked: 1 } });
    const links = sheets.find(({ name }) => name === 'links') as Sheet;
    const read = (query: object) =>
      links.read({ db: t.db, clock: systemClock, rollupLimit: 500, mostRows: 2 }, tenant.tenantId, '', query);
    await expect(read({})).rejects.toThrow(
      'startTime and the other parameters find 3 rows, and a file has at most 2: narrow the window, or name an emailId.',
    );
    expect(await read({ emailId })).toHaveLength(1);
    expect(await read({ emailId: 'a'.repeat(24) })).toHaveLength(2);
  });
});
