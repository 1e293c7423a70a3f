// The demo's messages, through the API and the sender itself, so that the ledger and people's timelines show something to try.
import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from '@rapport/client';
import * as contract from '@rapport/contract';
import type { Engagement, MailDesk, Notice } from '../features/messages/index.js';
import { systemClock } from '../lib/clock.js';
import { type DemoMessage, firstLink, sent, suppressed } from './messages.js';
import { type PastNeeds, pastMessages } from './past.js';

// Longer than what counts as a machine (3 s), short enough to be in the past when a person looks.
const openedMs = 3500;
const clickedMs = 4500;
const browser = 'Mozilla/5.0 (Macintosh; Intel Mac OS X 14.6; rv:140.0) Gecko/20100101 Firefox/140.0';
// Looks at most this often, 5 ms apart: a slow sender must not delay the start.
const mostLooks = 300;

export async function sendMessages(
  client: Client,
  mail: MailDesk,
  tenantId: number,
  emailIds: readonly string[],
  people: PastNeeds['contacts'],
): Promise<void> {
  for (const email of suppressed) await client.call(contract.suppressAddress, { params: { email }, body: {} });
  const messages = sent.map(({ to, email, fate: _, ...more }) => ({ email: to, emailId: emailIds[email], ...more }));
  const { data } = await client.call(contract.sendMessages, { body: { messages } });
  const ids = data.results.map(({ messageId }) => messageId ?? '');
  for (const [i, { fate }] of sent.entries())
    if (fate === 'cancelled') await client.call(contract.cancelMessage, { params: { messageId: ids[i] ?? '' } });
  const sentAt = await untilSent(client);
  const left = sent.flatMap(({ fate }, i) => {
    const messageId = ids[i] ?? '';
    const at = sentAt.get(messageId);
    return at ? [{ messageId, fate, at }] : [];
  });
  await mail.takeNotices(tenantId, left.flatMap(noticeOf));
  await Promise.all(left.flatMap(engagementsOf).map((engagement) => mail.record(tenantId, engagement)));
  // The last of each: the first ones of the second email went out in versions of their own.
  const likes = emailIds.map((_, email) => ids.findLast((id, i) => sent[i]?.email === email && sentAt.has(id)) ?? '');
  await mail.recordPast(tenantId, pastMessages({ now: systemClock.now(), contacts: people, likes }));
}

/** Returns when its messages have arrived, and the first was opened. */
export async function sendBroadcast(client: Client, mail: MailDesk, tenantId: number, id: string): Promise<void> {
  await client.call(contract.sendBroadcast, { params: { id } });
  for (let looks = 0; looks < mostLooks; looks++) {
    const { data } = await client.call(contract.getBroadcast, { params: { id } });
    if (data.total !== null && data.progress.waiting === 0) break;
    await sleep(5);
  }
  const { data: messages } = await client.call(contract.listMessages, { query: { journeyId: id } });
  const left = messages.flatMap(({ messageId, sentAt }) => (sentAt ? [{ messageId, at: sentAt }] : []));
  const fates = left.map((one, i): Left => ({ ...one, fate: i === 0 ? 'opened' : 'delivered' }));
  await mail.takeNotices(tenantId, fates.flatMap(noticeOf));
  await Promise.all(fates.flatMap(engagementsOf).map((engagement) => mail.record(tenantId, engagement)));
}

/** When the messages left. */
async function untilSent(client: Client): Promise<Map<string, string>> {
  const isLater = new Set(sent.filter(({ sendAt }) => sendAt).map(({ to }) => to));
  for (let looks = 0; ; looks++) {
    const { data } = await client.call(contract.listMessages, { query: { pageSize: 50 } });
    const waits = data.filter(
      ({ state, email }) => (state === 'queued' || state === 'sending') && !isLater.has(email ?? ''),
    );
    if (waits.length === 0 || looks >= mostLooks)
      return new Map(data.flatMap(({ messageId, sentAt }) => (sentAt ? [[messageId, sentAt]] : [])));
    await sleep(5);
  }
}

interface Left {
  messageId: string;
  fate: DemoMessage['fate'];
  /** When it was sent. */
  at: string;
}

const later = (at: string, ms: number) => new Date(Date.parse(at) + ms).toISOString();

/** What a provider would tell. */
function noticeOf({ messageId, fate, at }: Left): Notice[] {
  const base = { messageId, email: null, at: later(at, 200) };
  switch (fate) {
    case 'nothing':
    case 'cancelled':
      return [];
    case 'bounced':
      return [{ ...base, what: 'bounced', isHard: true, suppresses: true, reason: '550 5.1.1 No such user' }];
    default:
      return [{ ...base, what: 'delivered', isHard: false, suppresses: false, reason: null }];
  }
}

/** What its links would record. */
function engagementsOf({ messageId, fate, at }: Left): Engagement[] {
  const by = { messageId, agent: browser };
  const open: Engagement = { ...by, what: 'opened', at: later(at, openedMs) };
  if (fate === 'opened') return [open];
  return fate === 'clicked'
    ? [open, { ...by, what: 'clicked', at: later(at, clickedMs), linkNo: 0, url: firstLink }]
    : [];
}
