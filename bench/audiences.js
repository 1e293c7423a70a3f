// Large dynamic lists: their cost for a write, how a full evaluation compares with hand-written SQL, how fresh they are, and
// windows that all fall due within one minute.
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { clientConfig } from '../server/dist/db/connect.js';
import { sql } from '../server/dist/db/sql.js';
import { compile } from '../server/dist/features/filter-language/compile/index.js';
import { readFilter } from '../server/dist/features/filter-language/read.js';
import { Subjects } from '../server/dist/features/filter-language/subjects.js';
import { connectionOf } from '../server/test/process/postgres-processes.js';
import { makeDataDir, startService } from '../server/test/process/service.js';
import { callJson, makeTenant } from '../server/test/process/tenant.js';
import {
  call,
  contacts,
  deleteLists,
  eventsEach,
  latencies,
  median,
  ms,
  pending,
  quiet,
  rate,
  seed,
  timed,
  writeBatches,
} from './audience-place.js';
import { freePort } from './free-port.js';

const rounds = 3;

/** @typedef {import('./audience-place.js').Place} Place */

/** @param {(line: string) => void} say */
export async function bench(say) {
  const dataDir = await makeDataDir();
  const env = { PORT: String(await freePort()), DEMO: 'off', LOG_LEVEL: 'fatal' };
  const service = await startService({ dataDir, env, discardOutput: true });
  const client = new pg.Client(clientConfig(await connectionOf(dataDir)));
  await client.connect();
  client.on('error', () => undefined);
  const tenant = await makeTenant(service);
  const place = { url: service.url, token: tenant.token, tenantId: Number(tenant.tenantId), client };
  await seed(client, place.tenantId);
  say(`${contacts.toLocaleString('en')} contacts, ${(contacts * eventsEach).toLocaleString('en')} events`);
  for (const [name, part] of Object.entries({ fullEvaluation, writing, freshness, windows, previews }))
    if ((process.env.BENCH_PART ?? name) === name) await part(place, say);
  await client.end();
  await service.stop();
}

/** A list with two conditions on properties and one on events, and one that counts members of organizations, against hand-written SQL. */
async function fullEvaluation(/** @type {Place} */ place, /** @type {(line: string) => void} */ say) {
  const { client, tenantId } = place;
  const cases = [
    {
      name: 'two properties and an event count',
      filter: {
        all: [
          { property: 'plan', is: 'pro' },
          { property: 'seats', gte: 20 },
          { event: 'login', atLeast: 3, withinLast: 'P30D' },
        ],
      },
      byHand: `
        with c as materialized (
          select contact_id from contact where tenant_id = $1 and properties @> '{"plan": "pro"}' and (properties -> 'seats')::numeric >= 20
        ), e as (
          select contact_id from event
          where tenant_id = $1 and event_name = 'login' and event_date between now() - interval '30 days' and now()
          group by contact_id having count(*) >= 3
        ) select contact_id from c join e using (contact_id)`,
    },
    {
      name: 'members of organizations',
      filter: { orgMembers: { where: { property: 'plan', is: 'pro' }, atLeast: 3 } },
      byHand: `
        with m as materialized (
          select distinct m.org_id, u.contact_id from product_user u join org_membership m using (tenant_id, user_id) where u.tenant_id = $1
        ), o as (
          select m.org_id from m join contact c on c.tenant_id = $1 and c.contact_id = m.contact_id
          where c.properties @> '{"plan": "pro"}' group by m.org_id having count(*) >= 3
        ) select distinct contact_id from m join o using (org_id)`,
    },
  ];
  for (const { name, filter, byHand } of cases) {
    const at = { tenantId, now: sql`now()`, scope: () => sql`true` };
    const { joins, narrow, holds } = compile(readFilter(filter, new Subjects([])), at);
    const ours = sql`select c.contact_id from contact c ${joins}
      where c.tenant_id = ${tenantId} and ${narrow ?? sql`true`} and ${holds}`;
    /** @type {number[]} */ const compiled = [];
    /** @type {number[]} */ const hand = [];
    let [found, expected] = [0, 0];
    for (let round = 0; round < rounds; round++) {
      await timed(hand, async () => (expected = (await client.query(byHand, [tenantId])).rows.length));
      await timed(compiled, async () => (found = (await client.query(ours.text, ours.values)).rows.length));
    }
    if (found !== expected) throw new Error(`${name}: ${found} found, ${expected} by hand`);
    const start = performance.now();
    const { dynamicListId } = await call(place, '/v2/dynamic-lists', { name, filter });
    while ((await call(place, `/v2/dynamic-lists/${dynamicListId}`)).state !== 'ready') await sleep(20);
    const built = performance.now() - start;
    const [a, b] = [median(compiled), median(hand)];
    say(
      `${name} (${found.toLocaleString('en')} match): ${ms(a)} compiled, ${ms(b)} by hand, ratio ${(a / b).toFixed(2)} (goal: at most 1.50); ` +
        `built in steps beside traffic, members stored: ${ms(built)}`,
    );
  }
}

/** Previews that have to read all contacts: their results and times, and the effect on another tenant's reads. */
async function previews(/** @type {Place} */ place, /** @type {(line: string) => void} */ say) {
  const filters = {
    'a property': { property: 'plan', is: 'pro' },
    'a part of a text': { property: 'city', contains: '99' },
    'everybody but few': { none: [{ property: 'seats', gte: 39 }] },
    'counts of members': { orgMembers: { where: { property: 'plan', is: 'pro' }, atLeast: 3 } },
  };
  const read = async () => {
    const at = performance.now();
    await call(place, '/v2/contacts?pageSize=1');
    return performance.now() - at;
  };
  /** @type {number[]} */ const alone = [];
  for (let i = 0; i < 200; i++) alone.push(await read());
  for (const [name, filter] of Object.entries(filters)) {
    const start = performance.now();
    let isOver = false;
    const asked = callJson(`${place.url}/v2/dynamic-lists/preview`, {
      token: place.token,
      method: 'POST',
      body: { filter },
    }).finally(() => {
      isOver = true;
    });
    /** @type {number[]} */ const beside = [];
    while (!isOver) beside.push(await read());
    const { status, body } = await asked;
    const told = status === 200 ? `count ${body.data.count?.toLocaleString('en')}` : body.errors[0].message;
    say(
      `preview by ${name}: ${status} after ${ms(performance.now() - start)} (${told}); a read meanwhile p99 ${ms(quantile(beside, 0.99))}, alone ${ms(quantile(alone, 0.99))}`,
    );
  }
}

/**
 * @param {number[]} values
 * @param {number} share
 */
function quantile(values, share) {
  return values.sort((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * share))] ?? 0;
}

/** The same writes without a live list, and with 200, 20 of which read what they change. */
async function writing(/** @type {Place} */ place, /** @type {(line: string) => void} */ say) {
  await deleteLists(place);
  /** @type {number[]} */ const bare = [];
  /** @type {number[]} */ const listed = [];
  /** @type {number[]} */ const fresh = [];
  await writeBatches(place, 'warm', 20);
  for (let round = 0; round < rounds; round++) bare.push((await writeBatches(place, `bare${round}`, 40)).done);
  for (let i = 0; i < 200; i++) {
    const key = i < 20 ? 'score' : `other${i}`;
    await call(place, '/v2/dynamic-lists', { name: `List ${i}`, filter: { property: key, gte: i % 20 } });
  }
  await quiet(place);
  for (let round = 0; round < rounds; round++) {
    const { done, seen } = await writeBatches(place, `listed${round}`, 40);
    listed.push(done);
    fresh.push(seen);
  }
  const [none, some, seen] = [median(bare), median(listed), median(fresh)];
  say(
    `writes: ${rate(none)} contacts/s with no list; with 200, 20 of which read what changes: ${rate(some)} until DONE, ` +
      `${rate(seen)} until every list has seen them; ratio ${(some / none).toFixed(2)} and ${(seen / none).toFixed(2)} (goal: at least 0.50)`,
  );
}

/** 1,000 contact writes a second with 100 lists: from the acknowledgement until the contact is a member. */
async function freshness(/** @type {Place} */ place, /** @type {(line: string) => void} */ say) {
  await deleteLists(place);
  for (let i = 0; i < 100; i++) {
    const filter =
      i === 0 ? { property: 'mark', startsWith: 'fresh' } : { property: i < 20 ? 'score' : `other${i}`, gte: i };
    await call(place, '/v2/dynamic-lists', { name: `List ${i}`, filter });
  }
  await quiet(place);
  /** @type {Map<string, number>} */
  const waiting = new Map();
  /** @type {number[]} */
  const lags = [];
  let sent = 0;
  const seconds = 15;
  const until = performance.now() + seconds * 1000;
  const writer = async () => {
    const began = performance.now();
    while (performance.now() < until) {
      const due = Math.floor(((performance.now() - began) / 1000) * 1000);
      const size = Math.min(50, due - sent);
      if (size <= 0) {
        await sleep(5);
        continue;
      }
      const items = Array.from({ length: size }, () => {
        const n = sent++;
        return { email: `c${(500_000 % contacts) + n}@example.com`, properties: { mark: `fresh${n}`, score: n % 40 } };
      });
      await call(place, '/v2/contacts/batch', { contacts: items });
      for (const { email } of items) waiting.set(email, performance.now());
    }
  };
  const reader = async () => {
    let seen = new Date(0).toISOString();
    while (performance.now() < until + 10_000 && (performance.now() < until || waiting.size > 0)) {
      const { rows } = await place.client.query(
        `select c.email, m.joined_at from dynamic_member m join contact c using (tenant_id, contact_id)
         where m.tenant_id = $1 and m.list_no = (select min(list_no) from dynamic_list where tenant_id = $1 and deleted_at is null)
           and m.joined_at >= $2::timestamptz - interval '1 second'`,
        [place.tenantId, seen],
      );
      for (const { email, joined_at: at } of rows) {
        const began = waiting.get(email);
        if (began !== undefined) lags.push(performance.now() - began);
        waiting.delete(email);
        if (at > seen) seen = at;
      }
      await sleep(10);
    }
  };
  await Promise.all([writer(), reader()]);
  lags.sort((a, b) => a - b);
  const at = (/** @type {number} */ share) => ms(lags[Math.floor((lags.length - 1) * share)] ?? Number.NaN);
  say(
    `freshness at ${Math.round(sent / seconds)} writes/s with 100 lists: acknowledged to member p50 ${at(0.5)}, p99 ${at(0.99)} ` +
      `(aim: under 1 s and 3 s); ${waiting.size} of ${sent} not seen`,
  );
}

/** Ten thousand windows that close within a minute, beside writes. */
async function windows(/** @type {Place} */ place, /** @type {(line: string) => void} */ say) {
  await deleteLists(place);
  const alone = await latencies(place, 10_000);
  const count = Math.min(10_000, contacts);
  const { dynamicListId } = await call(place, '/v2/dynamic-lists', {
    name: 'Renewed',
    filter: { property: 'renews', withinLast: 'P1D' },
  });
  await quiet(place);
  const start = Date.now() + 15_000;
  // Each renews at its own moment within one minute.
  for (let n = 0; n < count; n += 1000) {
    const items = Array.from({ length: 1000 }, (_, i) => ({
      email: `c${n + i}@example.com`,
      properties: { renews: new Date(start + ((n + i) * 60_000) / count).toISOString() },
    }));
    await call(place, '/v2/contacts/batch', { contacts: items });
  }
  while ((await pending(place)) > 0) await sleep(20);
  await quiet(place);
  await sleep(start - Date.now());
  let latest = 0;
  let running = true;
  const watch = (async () => {
    while (running) {
      const { rows } = await place.client.query(
        `select coalesce(extract(epoch from clock_timestamp() - min(due_at)), 0)::float8 as late from dynamic_due
         where tenant_id = $1 and due_at <= clock_timestamp()`,
        [place.tenantId],
      );
      latest = Math.max(latest, rows[0].late);
      await sleep(20);
    }
  })();
  const beside = await latencies(place, 62_000);
  running = false;
  await watch;
  const { memberCount } = await call(place, `/v2/dynamic-lists/${dynamicListId}`);
  say(
    `${count.toLocaleString('en')} windows in one minute: the latest was served ${latest.toFixed(2)} s after its moment (aim: 2 s), ${memberCount.toLocaleString('en')} are members; ` +
      `an acknowledged write meanwhile: p50 ${ms(beside.p50)}, p99 ${ms(beside.p99)}, alone ${ms(alone.p50)}, ${ms(alone.p99)}`,
  );
}
