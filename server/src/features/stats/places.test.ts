// How much one request for statistics takes from concurrent ones.
import { expect, it } from 'vitest';
import { useApp } from '../../../test/app.js';
import { makeMailer } from '../../../test/messages.js';
import type { Database } from '../../db/database.js';
import { getEmailStats } from './get-email-stats.js';
import { getJourneyStats } from './get-journey-stats.js';
import { getFunnel } from './reports/get-funnel.js';
import { getOverview } from './reports/get-overview.js';

const t = useApp();
// It begins and ends within an hour, so every figure is a slow read.
const query = { startTime: '2026-09-01T10:20:30.400Z', endTime: '2026-09-30T10:20:30.400Z' };
const window = { from: query.startTime, to: query.endTime };

/** The database, with a record of its use: the places of slow reads, and statements that were not slow. */
function watched(): { db: Database; places: string[]; texts: string[] } {
  const [places, texts]: [string[], string[]] = [[], []];
  const db: Database = {
    ...t.db,
    rows: (statement) => {
      texts.push(statement.text);
      return t.db.rows(statement);
    },
    row: (statement) => {
      texts.push(statement.text);
      return t.db.row(statement);
    },
    slow: (tenantId) => {
      places.push('slow');
      return t.db.slow(tenantId);
    },
    slowly: (tenantId, work) => {
      places.push('slowly');
      return t.db.slowly(tenantId, work);
    },
  };
  return { db, places, texts };
}

it('a request has one place among the slow reads, however many of its reads are slow', async () => {
  const { tenantId, emailId, post } = await makeMailer(t);
  const definition = {
    entry: { api: true },
    steps: [
      { id: 'split', type: 'split', arms: [{ name: 'a', percent: 100, next: 'mail' }] },
      { id: 'mail', type: 'sendEmail', emailId },
    ],
  };
  const made = await post('/v2/journeys', { name: 'Watched', type: 'trigger', definition });
  const { journeyId } = made.body.data;
  for (const read of [
    (db: Database) => getJourneyStats(db, tenantId, journeyId, window),
    (db: Database) => getFunnel(db, tenantId, journeyId, window),
    (db: Database) => getEmailStats(db, tenantId, emailId, window, 'day'),
    (db: Database) => getOverview(db, tenantId, query, query.endTime),
  ]) {
    const { db, places } = watched();
    await read(db);
    expect(places).toEqual(['slowly']);
  }
});

it('statistics of an email do not read its texts', async () => {
  const { tenantId, emailId } = await makeMailer(t);
  const { db, texts } = watched();
  expect(await getEmailStats(db, tenantId, emailId, window, 'day')).toMatchObject({ emailId, sent: 0 });
  expect(texts.filter((text) => /\bhtml\b/.test(text))).toEqual([]);
  expect(texts.some((text) => /\bfrom email\b/.test(text))).toBe(true);
});
