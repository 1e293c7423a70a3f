// The demo's messages, through the API and the sender itself, so that the ledger and people's timelines show something to try.
import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from '@rapport/client';
import * as contract from '@rapport/contract';
import type { MailDesk, Notice } from '../features/messages/index.js';
import { type DemoMessage, sent, suppressed } from './messages.js';

// Longer than what counts as a machine (3 s), short enough that it is past when somebody looks.
const openedMs = 3500;
const clickedMs = 4500;
const browser = 'Mozilla/5.0 (Macintosh; Intel Mac OS X 14.6; rv:140.0) Gecko/20100101 Firefox/140.0';
// Looks at most so often, 5 ms apart: a sender that is slow today must not hold the start up.
const mostLooks = 300;

export async function sendMessages(
  client: Client,
  mail: MailDesk,
  tenantId: number,
  emailIds: readonly string[],
): Promise<void> {
  for (const email of suppressed) await client.call(contract.suppressAddress, { params: { email }, body: {} });
  const messages = sent.map(({ to, email, fate: _, ...more }) => ({ email: to, emailId: emailIds[email], ...more }));
  const { data } = await client.call(contract.sendMessages, { body: { messages } });
  const ids = data.results.map(({ messageId }) => messageId ?? '');
  for (const [i, { fate }] of sent.entries())
    if (fate === 'cancelled') await client.call(contract.cancelMessage, { params: { messageId: ids[i] ?? '' } });
  const sentAt = await untilSent(client);
  for (const [i, message] of sent.entries()) {
    const messageId = ids[i] ?? '';
    const at = sentAt.get(messageId);
    if (at) await happen(mail, tenantId, messageId, message, at);
  }
}

/** When those that were to leave did. */
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

async function happen(
  mail: MailDesk,
  tenantId: number,
  messageId: string,
  { fate }: DemoMessage,
  sentAt: string,
): Promise<void> {
  if (fate === 'nothing' || fate === 'cancelled') return;
  const after = (ms: number) => new Date(Date.parse(sentAt) + ms).toISOString();
  const isBounced = fate === 'bounced';
  const notice: Notice = {
    ...{ what: isBounced ? 'bounced' : 'delivered', messageId, email: null, at: after(200) },
    ...{ isHard: isBounced, suppresses: isBounced, reason: isBounced ? '550 5.1.1 No such user' : null },
  };
  await mail.takeNotices(tenantId, [notice]);
  if (fate !== 'opened' && fate !== 'clicked') return;
  const by = { messageId, agent: browser };
  await mail.record(tenantId, { ...by, what: 'opened', at: after(openedMs) });
  if (fate === 'clicked')
    await mail.record(tenantId, {
      ...by,
      what: 'clicked',
      at: after(clickedMs),
      linkNo: 0,
      url: 'https://example.com/first-steps',
    });
}
