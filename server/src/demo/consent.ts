// What the demo's people agreed to: two topics, a form, somebody who confirmed and somebody who has not answered.
import { hash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from '@rapport/client';
import * as contract from '@rapport/contract';
import type { FastifyInstance } from 'fastify';

const topics = [
  { name: 'Product news', description: 'What’s new, once a month.', byDefault: 'unsubscribed', doubleOptIn: true },
  { name: 'Events and webinars', description: 'Where to meet us.', byDefault: 'unsubscribed' },
] as const;
const consentText = 'Yes, send me product news about once a month. I can unsubscribe at any time.';
const [confirmed, pending] = ['radia@example.com', 'alan@example.com'];
// Looks at most this often, 5 ms apart: a slow sender must not delay the start.
const mostLooks = 300;

/** `mayMail`: without it nothing is sent by the form, because the mail that asks would leave. */
export async function seedConsent(client: Client, http: FastifyInstance, mayMail: boolean): Promise<void> {
  const ids: string[] = [];
  for (const body of topics) ids.push((await client.call(contract.createTopic, { body })).data.topicId);
  const fields = [
    { property: 'email', label: 'Email', type: 'email' },
    { property: 'first_name', label: 'First name', type: 'text' },
    { property: 'utm_source', label: 'Source', type: 'hidden' },
  ] as const;
  const body = { name: 'Newsletter', fields: [...fields], topicIds: ids.slice(0, 1), consentText };
  const { data: form } = await client.call(contract.createForm, { body });
  if (!mayMail) return;
  const path = new URL(form.url, 'http://localhost').pathname;
  for (const email of [pending, confirmed]) await sendForm(http, path, { email });
  const link = await findLink(client);
  if (link) await http.inject({ method: 'POST', url: link });
}

interface Challenge {
  challenge: string;
  maxnumber: number;
  salt: string;
}

/** As a person does it: the page is looked at, and asks for the challenge first. */
async function sendForm(http: FastifyInstance, path: string, values: object): Promise<void> {
  await http.inject({ url: path });
  const challenge: Challenge = (await http.inject({ url: `${path}/challenge` })).json();
  let number = 0;
  while (hash('sha256', challenge.salt + number) !== challenge.challenge && number < challenge.maxnumber) number++;
  const altcha = Buffer.from(JSON.stringify({ ...challenge, number })).toString('base64');
  await http.inject({ method: 'POST', url: path, payload: { ...values, altcha } });
}

/** The link of the mail that asked; nothing where that takes long. */
async function findLink(client: Client): Promise<string | undefined> {
  for (let looks = 0; looks < mostLooks; looks++) {
    const { data } = await client.call(contract.listOutbox, { query: { pageSize: 50 } });
    const kept = data.find(({ to }) => to === confirmed);
    if (kept) {
      const { data: mail } = await client.call(contract.getOutboxMessage, { params: { messageId: kept.messageId } });
      return /\/t\/y\/[\w-]+/.exec(mail.text)?.[0];
    }
    await sleep(5);
  }
  return undefined;
}
