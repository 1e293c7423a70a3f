// Mail of the demo tenant over the last weeks, so that statistics have something to show. Made by a pattern, not by chance: every demo
// looks the same.
import type { PastFate, PastMessage } from '../features/messages/index.js';
import { firstLink, newsLink, newsSubject } from './messages.js';

/** None of them has a suppressed address. */
const readers = ['ada', 'alan', 'barbara', 'grace', 'katherine', 'margaret', 'radia'];
const days = 30;
const dayMs = 86_400_000;
const minuteMs = 60_000;
const agent = 'Mozilla/5.0 (Macintosh; Intel Mac OS X 14.6; rv:140.0) Gecko/20100101 Firefox/140.0';

export interface PastNeeds {
  now: Date;
  /** By address. */
  contacts: ReadonlyMap<string, { contactId: string; firstName: string }>;
  /** A message that was sent of each email, in their order. */
  likes: readonly string[];
}

/** From three to seven a day, fewer at weekends, a little more from week to week. */
export function pastMessages({ now, contacts, likes }: PastNeeds): PastMessage[] {
  return Array.from({ length: days - 1 }, (_, i) => days - i).flatMap((daysAgo) => {
    const midnight = Math.floor((now.getTime() - daysAgo * dayMs) / dayMs) * dayMs;
    const isWeekend = [0, 6].includes(new Date(midnight).getUTCDay());
    const count = isWeekend ? 2 : 3 + ((daysAgo * 5) % 3) + Math.floor((days - daysAgo) / 12);
    return Array.from({ length: count }, (_unused, place) => {
      const turn = daysAgo * 11 + place * 3;
      const address = `${readers[turn % readers.length]}@example.com`;
      const email = (daysAgo + place) % 2;
      const reader = contacts.get(address);
      const like = likes[email];
      if (!reader || !like) return [];
      const sent = midnight + (8 * 60 + place * 83 + (turn % 29)) * minuteMs;
      return {
        ...{ like, address, contactId: reader.contactId, sentAt: at(sent) },
        subject: email === 0 ? `Welcome, ${reader.firstName}` : newsSubject,
        became: becameOf(turn, sent, email === 0 ? firstLink : newsLink),
      };
    }).flat();
  });
}

const at = (ms: number) => new Date(ms).toISOString();

/** Out of ten, one bounces softly, five are opened, and two of those clicked. */
function becameOf(turn: number, sent: number, url: string): PastFate[] {
  const part = (turn * 7) % 10;
  if (part === 9 && turn % 3 === 0)
    return [{ what: 'softBounced', at: at(sent + 2000), reason: '452 4.2.2 Mailbox full' }];
  const opened = sent + (3 + ((turn * 13) % 240)) * minuteMs;
  return [
    { what: 'delivered', at: at(sent + 1500) },
    ...(part < 5 ? [{ what: 'opened', at: at(opened), agent } as const] : []),
    ...(part < 2 ? [{ what: 'clicked', at: at(opened + minuteMs), agent, linkNo: 0, url } as const] : []),
  ];
}
