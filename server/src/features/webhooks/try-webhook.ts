// Sends a test to a subscription or another address, while somebody waits for the answer.
import type { DataValue, testWebhook } from '@rapport/contract';
import type { Database } from '../../db/database.js';
import { ApiError, notFound } from '../../http/api-error.js';
import { notReady } from '../../http/error-handler.js';
import type { Clock } from '../../lib/clock.js';
import { isAssetId, newMessageUuid } from '../../lib/ids.js';
import { Places } from '../../lib/places.js';
import { type SecretBox, SecretBoxError } from '../../lib/secret-box.js';
import type { Caller } from './call/caller.js';
import { whyNot } from './delivery/judge.js';
import { callOf } from './delivery/prepare.js';
import { callKeys, webhookKeys } from './keys.js';
import { findSecret } from './secrets/queries.js';

export interface TestNeeds {
  db: Database;
  box: SecretBox;
  clock: Clock;
  caller: Pick<Caller, 'attempt'>;
}

// Milliseconds: less than events get, because somebody waits.
const timeoutMs = 10_000;

// A receiver may take that long to fail. Others wait a moment, and are then told to try again.
const places = new Places({
  ...{ places: 16, mostEach: 4, waitMs: 1000, mostWaiting: 8 },
  refuse: () => notReady({ reason: 'earlier tests of webhooks are still running; try again', retryAfter: 5 }),
});

export async function tryWebhook(
  needs: TestNeeds,
  tenantId: number,
  webhookId: string,
): Promise<DataValue<typeof testWebhook>> {
  const { db, box, clock } = needs;
  const found = isAssetId(webhookId) ? await findSecret(db, tenantId, webhookId) : undefined;
  if (!found) throw notFound('webhook');
  const keys = await webhookKeys(db, box, tenantId, { webhookId, ...found }).catch(refuseUnreadable);
  const body = JSON.stringify({ type: 'webhook.test', timestamp: clock.now().toISOString(), data: { webhookId } });
  return tryNow(needs, tenantId, { webhookId, url: found.url, body }, keys);
}

/** Tries an address that posts go to. */
export async function tryPost(
  needs: TestNeeds,
  tenantId: number,
  url: string,
  body: string,
): Promise<DataValue<typeof testWebhook>> {
  const keys = await callKeys(needs.db, needs.box, tenantId).catch(refuseUnreadable);
  return tryNow(needs, tenantId, { webhookId: null, url, body }, keys);
}

function refuseUnreadable(cause: unknown): never {
  if (!(cause instanceof SecretBoxError)) throw cause;
  throw new ApiError('INVALID_STATE', { reason: cause.message }, { cause });
}

async function tryNow(
  { clock, caller }: TestNeeds,
  tenantId: number,
  tried: { webhookId: string | null; url: string; body: string },
  keys: readonly Buffer[],
): Promise<DataValue<typeof testWebhook>> {
  const made = { ...tried, deliveryId: newMessageUuid(), method: 'POST', headers: null, timeoutMs };
  const giveBack = await places.take(tenantId);
  const startedAt = clock.elapsed();
  try {
    const attempted = await caller.attempt({ ...callOf(made, keys, clock.now()), wants: 'start' });
    const durationMs = Math.round(clock.elapsed() - startedAt);
    if (attempted.kind !== 'answered')
      return { ok: false, status: null, durationMs, answer: null, error: attempted.why };
    const { status, start = '' } = attempted;
    const ok = status >= 200 && status < 300;
    return { ok, status, durationMs, answer: start, error: ok ? null : whyNot(status) };
  } finally {
    giveBack();
  }
}
