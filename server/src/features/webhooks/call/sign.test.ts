import { Webhook } from 'standardwebhooks';
import { expect, it } from 'vitest';
import { randomBytes } from '../../../lib/random.js';
import { formatSecret, signatureHeaders } from './sign.js';

const body = '{"type":"message.sent","data":{"name":"Zoë 🚀"}}';
const [first, second, stranger] = [randomBytes(32), randomBytes(32), randomBytes(32)];
const headers = signatureHeaders('0190', new Date(), body, [first, second]);

it('is accepted by the reference library, with either of two keys', () => {
  for (const key of [first, second])
    expect(new Webhook(formatSecret(key)).verify(body, headers)).toEqual(JSON.parse(body));
});

it('is refused with another key, another body or another id', () => {
  expect(() => new Webhook(formatSecret(stranger)).verify(body, headers)).toThrow();
  expect(() => new Webhook(formatSecret(first)).verify(`${body} `, headers)).toThrow();
  expect(() => new Webhook(formatSecret(first)).verify(body, { ...headers, 'webhook-id': '0191' })).toThrow();
});
