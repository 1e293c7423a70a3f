// Tells people and the webhook of alerts that open: queued in the transaction that opens them.
import type { Transaction } from '../../db/database.js';
import type { Clock } from '../../lib/clock.js';
import type { AccountMail, StopLinks } from '../accounts/index.js';
import type { HealthLimits } from '../messages/index.js';
import { findTenant } from '../tenants/index.js';
import { enqueuePost } from '../webhooks/index.js';
import { alertLetter, alertPost, type News } from './letters.js';
import { namesOf } from './names.js';
import { type AlertRow, selectReaders } from './queries.js';
import { lane } from './webhook/change-webhook.js';
import { findAddressId } from './webhook/queries.js';

export interface TellNeeds {
  clock: Clock;
  baseUrl: () => string;
  mail: AccountMail;
  links: StopLinks;
  limits: HealthLimits;
}

/** One message each, whatever the number of alerts. */
export async function tell(
  { clock, baseUrl, mail, links, limits }: TellNeeds,
  tx: Transaction,
  tenantId: number,
  alerts: readonly AlertRow[],
): Promise<void> {
  const addressId = await findAddressId(tx, tenantId, 'keep');
  const readers = mail.isOn ? await selectReaders(tx, tenantId) : [];
  if (addressId === undefined && readers.length === 0) return;
  const tenant = await findTenant(tx, tenantId);
  const news: News = {
    ...{ workspace: tenant?.name ?? '', alerts, limits, consoleUrl: `${baseUrl()}/console` },
    names: await namesOf(tx, tenantId, alerts),
  };
  if (addressId !== undefined) await enqueuePost(tx, tenantId, { addressId, lane, body: alertPost(news) });
  for (const { accountId, address } of readers) {
    const stopLink = `${baseUrl()}${links.pathFor(tenantId, accountId)}`;
    await mail.enqueue(tx, tenantId, address, alertLetter(news, stopLink, clock.now().getTime()));
  }
}
