// Signatures of Standard Webhooks: https://www.standardwebhooks.com. Pure.
import { createHmac } from 'node:crypto';

const prefix = 'whsec_';

/** 32 random bytes in the form that a receiver is given. */
export function formatSecret(key: Buffer): string {
  return `${prefix}${key.toString('base64')}`;
}

/** @param keys one signature each: a receiver that knows any of them accepts the call. */
export function signatureHeaders(
  id: string,
  at: Date,
  body: string,
  keys: readonly Buffer[],
): Record<'webhook-id' | 'webhook-timestamp' | 'webhook-signature', string> {
  const seconds = String(Math.floor(at.getTime() / 1000));
  const signed = `${id}.${seconds}.${body}`;
  const signatures = keys.map((key) => `v1,${createHmac('sha256', key).update(signed).digest('base64')}`);
  return { 'webhook-id': id, 'webhook-timestamp': seconds, 'webhook-signature': signatures.join(' ') };
}
