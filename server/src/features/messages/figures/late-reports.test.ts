import { beforeEach, describe, expect, it } from 'vitest';
import { useDatabase } from '../../../../test/database.js';
import { at, clicked, emailId, ever, figureRows, opened, sentAt, some, within } from '../../../../test/figure-rows.js';
import { type Ledger, openLedger } from '../../../../test/ledger.js';
import { eventually } from '../../../../test/messages.js';
import { sql } from '../../../db/sql.js';
import { recountMessages } from './recount.js';

const t = useDatabase();
let ledger: Ledger;
beforeEach(async () => {
  ledger = await openLedger(t);
});

const { sent, rows, figures } = figureRows(t, () => ledger);

describe('a report that overtakes the sender', () => {
  it('counts at once, and for the version and the domain once they are known', async () => {
    const messageId = await ledger.queue({ emailId });
    await ledger.hear(
      { what: 'delivered', messageId, at: at('09:30:01.000') },
      opened(messageId, '09:40:00.000', 'GoogleImageProxy'),
      clicked(messageId, '09:41:00.000'),
    );
    expect((await rows({ kind: 'email', emailId })).map((row) => [row.version, row.delivered])).toEqual([[null, 1]]);
    await ledger.record(messageId, 'sent', sentAt, { version: 'personalized' });
    const [only, ...others] = await rows({ kind: 'email', emailId });
    expect([only?.version, some(only), others]).toEqual([
      ...['personalized', { sent: 1, delivered: 1, machineOpened: 1, clicked: 1, uniqueClicked: 1, clickOnly: 1 }, []],
    ]);
    expect(await recountMessages(t.db, ledger.tenantId)).toEqual([]);
  });

  it('counts for the version that is known later, even if the person is erased by then', async () => {
    const messageId = await ledger.queue({ emailId });
    await ledger.erase('ada@x.io');
    await ledger.hear(opened(messageId, '09:40:00.000', 'GoogleImageProxy'));
    await ledger.record(messageId, 'sent', sentAt, { version: 'default' });
    expect((await rows({ kind: 'email', emailId })).map((row) => [row.version, some(row)])).toEqual([
      ['default', { sent: 1, delivered: 1, machineOpened: 1 }],
    ]);
    expect(await recountMessages(t.db, ledger.tenantId)).toEqual([]);
  });
});

it('a report that arrives while the sender stores the outcome counts for the version that the sender knows', async () => {
  const messageId = await ledger.queue({ emailId });
  await ledger.claim(messageId);
  let recording = Promise.resolve();
  await t.db.background.transaction(async (tx) => {
    await ledger.hearIn(tx, opened(messageId, '09:40:00.000', 'GoogleImageProxy'));
    recording = ledger.record(messageId, 'sent', sentAt, { version: 'default' });
    // The sender has read the state before this commits, and waits for the message's lock.
    await eventually(
      () =>
        t.db.rows(sql`
          select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`),
      ({ length }) => length > 0,
    );
  });
  await recording;
  expect((await rows({ kind: 'email', emailId })).map((row) => [row.version, some(row)])).toEqual([
    ['default', { sent: 1, delivered: 1, machineOpened: 1 }],
  ]);
});

describe('links', () => {
  it('count clicks by address, most clicked first, and each message once, at its first click', async () => {
    const [one, two] = [await sent(), await sent('bob@x.io')];
    await ledger.hear(
      clicked(one, '10:00:00.000', 'https://shop.test/b'),
      clicked(one, '10:10:00.000'),
      clicked(one, '10:20:00.000'),
    );
    await ledger.hear(clicked(two, '10:30:00.000'), clicked(two, '10:40:00.000', 'https://shop.test/b', 'Barracuda'));
    const shown = async (window = ever, atMost?: number) =>
      (await rows({ kind: 'links', emailId, ...(atMost ? { atMost } : {}) }, window)).map((row) => [
        row.url,
        some(row),
      ]);
    const [first, second] = [
      ['https://shop.test/a', { clicked: 3, uniqueClicked: 2 }],
      ['https://shop.test/b', { clicked: 1, uniqueClicked: 1, machineClicked: 1 }],
    ];
    expect(await shown()).toEqual([first, second]);
    await ledger.fold();
    expect([await shown(), await shown(ever, 1)]).toEqual([[first, second], [first]]);
    expect(await shown(within('10:15:00.000', '10:35:00.000'))).toEqual([
      ['https://shop.test/a', { clicked: 2, uniqueClicked: 1 }],
    ]);
    expect(await rows({ kind: 'links', emailId: 'f'.repeat(24) })).toEqual([]);
  });
});

describe('an erasure', () => {
  const urls = async () => (await rows({ kind: 'links' })).map((row) => [row.url, row.clicked]);

  it('leaves figures unchanged, and no address that only erased people clicked', async () => {
    const [ada, bob] = [await sent(), await sent('bob@y.io')];
    const own = 'https://ada@shop.test/orders?of=ada#top';
    await ledger.hear(clicked(ada, '10:00:00.000', own), clicked(ada, '10:01:00.000'), clicked(bob, '10:02:00.000'));
    const before = [await figures(), (await rows({ kind: 'domains' })).map(some)];
    await ledger.erase('ada@x.io');
    expect([await figures(), (await rows({ kind: 'domains' })).map(some)]).toEqual(before);
    expect(await urls()).toEqual([
      ['https://shop.test/a', 2],
      ['https://shop.test', 1],
    ]);
    await ledger.erase('bob@y.io');
    expect(await urls()).toEqual([['https://shop.test', 3]]);
    expect(await recountMessages(t.db, ledger.tenantId)).toEqual([]);
  });

  it('keeps no address of a link that is clicked later, unless others clicked it', async () => {
    const [ada, bob] = [await sent(), await sent('bob@y.io')];
    await ledger.hear(clicked(bob, '10:00:00.000'));
    await ledger.erase('ada@x.io');
    await ledger.hear(clicked(ada, '10:00:00.000', 'https://shop.test/ada'), clicked(ada, '10:01:00.000'));
    expect(await urls()).toEqual([
      ['https://shop.test/a', 2],
      ['https://shop.test', 1],
    ]);
    const kept = await t.db.rows(sql`
      select 1 from message_event where tenant_id = ${ledger.tenantId} and detail like '%ada%'`);
    expect(kept).toEqual([]);
  });

  it('merges several addresses that erased people click later: a message is unique there once', async () => {
    const ada = await sent();
    await ledger.erase('ada@x.io');
    await ledger.hear(
      clicked(ada, '10:00:00.000', 'https://shop.test/x'),
      clicked(ada, '10:30:00.000', 'https://shop.test/y'),
    );
    expect((await rows({ kind: 'links' })).map((row) => [row.url, some(row)])).toEqual([
      ['https://shop.test', { clicked: 2, uniqueClicked: 1 }],
    ]);
    expect(await recountMessages(t.db, ledger.tenantId)).toEqual([]);
  });

  it('keeps a shortened address for erased people only: a later click on the same address gets a new link', async () => {
    const [ada, bob] = [await sent(), await sent('bob@y.io')];
    await ledger.hear(clicked(ada, '10:00:00.000'));
    await ledger.erase('ada@x.io');
    await ledger.hear(clicked(bob, '10:00:00.000'));
    expect(await urls()).toEqual([
      ['https://shop.test', 1],
      ['https://shop.test/a', 1],
    ]);
  });
});

it('processes fold beside each other, and every message is counted once', async () => {
  for (let i = 0; i < 12; i++) await sent(`a${i}@x.io`);
  const folded = await Promise.all([ledger.fold(9), ledger.fold(9), ledger.fold(9)]);
  expect(folded.reduce((a, b) => a + b, 0)).toBeGreaterThanOrEqual(9);
  expect(await figures()).toEqual({ sent: 12, delivered: 12 });
  expect(await recountMessages(t.db, ledger.tenantId)).toEqual([]);
});

describe('a recount', () => {
  it('reports what is too high or too low, hour by hour, and days that do not match their hours', async () => {
    await sent();
    await ledger.fold();
    await t.db.run(sql`
      update message_tally set sent = sent + 2 where tenant_id = ${ledger.tenantId} and subject = 't' and span = 'hour'`);
    await t.db.run(sql`
      delete from message_tally where tenant_id = ${ledger.tenantId} and subject = 'd:x.io' and span = 'all'`);
    expect(await recountMessages(t.db, ledger.tenantId)).toEqual([
      { span: 'all', subject: 'd:x.io', since: '1970-01-01T00:00:00.000Z', tooHigh: { sent: -1, delivered: -1 } },
      { span: 'all', subject: 't', since: '1970-01-01T00:00:00.000Z', tooHigh: { sent: -2 } },
      { span: 'day', subject: 't', since: at('00:00:00.000'), tooHigh: { sent: -2 } },
      { span: 'hour', subject: 't', since: at('09:00:00.000'), tooHigh: { sent: 2 } },
    ]);
  });
});
