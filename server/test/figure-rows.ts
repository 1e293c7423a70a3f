// Messages in a ledger, and their figures.

import type { Window } from '../src/db/tallies.js';
import type { Fate } from '../src/features/messages/fates/fate.js';
import type { StoredCount } from '../src/features/messages/figures/counts.js';
import type { FigureSubject } from '../src/features/messages/figures/queries.js';
import { type FigureRow, readFigures } from '../src/features/messages/figures/read-figures.js';
import type { TestDatabase } from './database.js';
import type { Ledger } from './ledger.js';

export const emailId = '0'.repeat(24);
export const ever: Window = { from: null, to: null };
export const at = (time: string) => `2026-11-15T${time}Z`;
export const sentAt = at('09:30:00.000');
const person = 'Thunderbird';
export const opened = (messageId: string, time: string, agent = person): Fate => ({
  ...{ what: 'opened', messageId, at: at(time), agent },
});
export const clicked = (messageId: string, time: string, url = 'https://shop.test/a', agent = person): Fate => ({
  ...{ what: 'clicked', messageId, at: at(time), agent, linkNo: 0, url },
});

/** The fields of a row that are not 0. */
export const some = (row: FigureRow | undefined): Partial<Record<StoredCount, number>> =>
  Object.fromEntries(Object.entries(row ?? {}).filter(([, n]) => typeof n === 'number' && n !== 0));
export const within = (from: string, to: string) => ({ from: at(from), to: at(to) });

export function figureRows(t: TestDatabase, ledger: () => Ledger) {
  /** A message sent at half past nine. */
  async function sent(address = 'ada@x.io', version: 'default' | 'personalized' = 'default'): Promise<string> {
    const messageId = await ledger().queue({ emailId, address });
    await ledger().record(messageId, 'sent', sentAt, { version, links: 0 });
    return messageId;
  }
  const rows = (of: FigureSubject, window = ever, grain?: 'hour' | 'day') =>
    readFigures(t.db, ledger().tenantId, of, window, grain);
  const figures = async (window = ever) => some((await rows({ kind: 'tenant' }, window))[0]);

  return { sent, rows, figures };
}
