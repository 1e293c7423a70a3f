// What a simulation says happens then: random definitions, simulated as drafts, then live, with time moved on by hand.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type TenantClient, useApp } from '../../../../test/app.js';
import { makeTopic } from '../../../../test/consent.js';
import { makeEmail, tenantWithDomain } from '../../../../test/emails.js';
import { sendEvents } from '../../../../test/events.js';
import { definition } from '../../../../test/journeys/definition-arbitrary.js';
import { makeActive, makeJourney } from '../../../../test/journeys.js';
import { eventually } from '../../../../test/messages.js';
import { runs } from '../../../../test/runs.js';
import { bytes, sql } from '../../../db/sql.js';

const t = useApp({ work: true });

/** A circle goes on until the end of the simulation. */
const mostCompared = 30;

interface Told {
  state: string;
  timeline: string[];
  /** What other journeys answered. */
  answers: string[];
}

/** Times are those of two clocks. Another journey answers in a turn of its own, before or after the next step. */
function plain(timeline: { what: string; stepId?: string; detail?: string }[]): Omit<Told, 'state'> {
  const all = timeline.map(({ what, stepId, detail }) =>
    [what, stepId, detail?.replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'then')].filter(Boolean).join(' '),
  );
  const isAnswer = (one: string) => one.startsWith('event They were not in the journey');
  return { timeline: all.filter((one) => !isAnswer(one)), answers: all.filter(isAnswer) };
}

/** No webhooks, no windows (two clocks), and nothing so short that it passes while a test looks. */
const tried = definition
  .filter(({ steps }) => !steps.some(({ type }) => type === 'webhook'))
  .map(({ window: _, ...rest }) => rest);

async function prepare(tenant: TenantClient, json: object) {
  const staticListId = (await tenant.post('/v2/lists', { name: 'L' })).body.data.staticListId;
  const ids = {
    a: await makeEmail(tenant),
    b: staticListId,
    c: await makeActive(tenant),
    f: await makeTopic(tenant, 'T'),
  };
  let text = JSON.stringify(json).replaceAll('"PT1S"', '"PT2H"');
  for (const [digit, id] of Object.entries(ids)) text = text.replaceAll(digit.repeat(24), id);
  return makeJourney(tenant, { definition: { cap: { messages: 2, per: 'P300D' }, ...JSON.parse(text) } });
}

/** Everything that is due has been done. */
const settled = (tenantId: number) =>
  eventually(
    async () => {
      t.app.wake('journeys');
      const row = await t.db.row(sql<{ left: number }>`
        select (select count(*) from journey_news where tenant_id = ${tenantId})
          + (select count(*) from enrolment where tenant_id = ${tenantId} and state = 'active' and due_at <= now())
          + (select count(*) from enrolment where tenant_id = ${tenantId} and state = 'active' and phase = 'writing')
          + (select count(*) from write_transaction where tenant_id = ${tenantId} and status = 'PENDING') as left`);
      return row?.left ?? 0;
    },
    (left) => left === 0,
  );

async function readLive(tenant: TenantClient, id: string): Promise<Told | undefined> {
  const [row] = (await tenant.get(`/v2/journeys/${id}/enrolments`)).body.data;
  if (!row) return undefined;
  const { data } = (await tenant.get(`/v2/journeys/${id}/enrolments/${row.enrolmentId}`)).body;
  return { state: data.state, ...plain(data.timeline) };
}

/** Every contact that waits has waited long enough. */
const moveOn = (tenantId: number, id: string) =>
  t.db.transaction((tx) =>
    tx.run(sql`
      update enrolment e set wait_until = least(wait_until, now()), due_at = now() from journey j
      where j.tenant_id = ${tenantId} and j.journey_id = ${bytes(id)} and e.tenant_id = j.tenant_id and e.journey_no = j.journey_no
        and e.state = 'active' and e.phase = 'waiting'`),
  );

async function runLive(tenant: TenantClient, id: string, enough: number): Promise<Told | undefined> {
  for (let moves = 0; moves < 40; moves++) {
    await settled(tenant.tenantId);
    const live = await readLive(tenant, id);
    if (live?.state !== 'active' || live.timeline.length >= enough) return live;
    await moveOn(tenant.tenantId, id);
  }
  throw new Error('It goes on for ever');
}

describe('a simulation', () => {
  it('tells what then happens', async () => {
    await fc.assert(
      fc.asyncProperty(tried, fc.boolean(), fc.integer({ min: 1, max: 2 }), async (json, isPro, order) => {
        const tenant = await tenantWithDomain(t);
        const properties = { soon: '2036-01-01T00:00:00Z', past: '2001-01-01', ...(isPro ? { plan: 'pro' } : {}) };
        const done = await tenant.done(
          await tenant.post('/v2/contacts/batch', { contacts: [{ email: 'ada@x.io', properties }] }),
        );
        const { contactId } = done.data.results[0];
        const id = await prepare(tenant, json);
        const from = Date.now();
        const at = (ms: number) => new Date(from + ms).toISOString();
        const events = [
          { eventName: 'ordered', properties: { order: 1 } },
          { eventName: 'paid', properties: { order } },
          { eventName: 'opened', properties: { order } },
        ];
        const { status, body, text } = await tenant.post(`/v2/journeys/${id}/simulate`, {
          ...{ contactIds: [contactId], from: at(0), until: at(90 * 86_400_000) },
          events: events.map((event, i) => ({ ...event, contactId, at: at(i * 1000) })),
        });
        if (status !== 200) throw new Error(text);
        const [simulated] = body.data.contacts;
        const expected = plain(simulated.timeline);
        const activated = await tenant.post(`/v2/journeys/${id}/activate`);
        if (activated.status !== 200) throw new Error(activated.text);
        for (const { eventName, properties: eventProperties } of events) {
          await sendEvents(tenant, [{ eventName, eventProperties, email: 'ada@x.io' }]);
          await settled(tenant.tenantId);
        }
        const first = expected.timeline.slice(0, mostCompared);
        const live = await runLive(tenant, id, first.length + 1);
        expect(live?.timeline.slice(0, first.length)).toEqual(first);
        if (simulated.endedAs !== null && expected.timeline.length <= mostCompared)
          expect(live).toEqual({ state: simulated.endedAs, ...expected });
      }),
      { numRuns: runs(6), endOnFailure: true },
    );
  });
});
