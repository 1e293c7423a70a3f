// Helpers for tests of forms: forms, the work that their challenges require, and the result of a post.
import { hash } from 'node:crypto';
import { formFieldNames } from '@rapport/contract';
import type { Reply, TenantClient, TestApp } from './app.js';
import { eventually } from './messages.js';

export const { honeypot } = formFieldNames;
export const urlencoded = { 'content-type': 'application/x-www-form-urlencoded' };
/** Enough for any test that is not about limits. */
export const noBounds = { perNetwork: 1_000_000, perForm: 1_000_000, perAddress: 1_000_000 };
export const email = { property: 'email', label: 'Email', type: 'email' };
export const firstName = { property: 'first_name', label: 'First name', type: 'text' };

export const formBody = (change: Record<string, unknown> = {}) => ({
  ...{ name: 'Newsletter', fields: [email, firstName], topicIds: [], consentText: 'Yes, write to me.', ...change },
});

interface MadeForm {
  formId: string;
  /** The path of its page, without the host. */
  path: string;
}

export async function makeForm(tenant: TenantClient, change: Record<string, unknown> = {}): Promise<MadeForm> {
  const reply = await tenant.post('/v2/forms', formBody(change));
  if (reply.status !== 200) throw new Error(reply.text);
  return { formId: reply.body.data.formId, path: new URL(reply.body.data.url).pathname };
}

interface Challenge {
  algorithm: string;
  challenge: string;
  maxnumber: number;
  salt: string;
  signature: string;
}

/** The solution of a challenge, as a browser computes it. */
export function solve({ algorithm, challenge, maxnumber, salt, signature }: Challenge): string {
  for (let number = 0; number <= maxnumber; number++)
    if (hash('sha256', salt + number) === challenge)
      return Buffer.from(JSON.stringify({ algorithm, challenge, number, salt, signature })).toString('base64');
  throw new Error('There is no answer');
}

export async function proofFor(t: TestApp, path: string): Promise<string> {
  return solve((await t.anonymous.get(`${path}/challenge`)).body);
}

type Sent = Record<string, string>;

/** As a page sends it, with a proof unless `altcha` is given. */
export async function postPage(t: TestApp, path: string, values: Sent, headers: Sent = {}): Promise<Reply> {
  const altcha = values.altcha ?? (await proofFor(t, path));
  return t.anonymous.post(path, new URLSearchParams({ ...values, altcha }).toString(), { ...urlencoded, ...headers });
}

/** As a script sends it. */
export async function postJson(t: TestApp, path: string, values: object, headers: Sent = {}): Promise<Reply> {
  const altcha = 'altcha' in values ? {} : { altcha: await proofFor(t, path) };
  return t.anonymous.post(path, { ...values, ...altcha }, headers);
}

interface Submission {
  submissionId: string;
  at: string;
  contactId: string | null;
  outcome: string;
  reason: string | null;
  values: Record<string, unknown>;
}

/** Newest first. */
export async function submissionsOf(tenant: TenantClient, formId: string): Promise<Submission[]> {
  return (await tenant.get(`/v2/forms/${formId}/submissions?pageSize=200`)).body.data;
}

/** Waits until everything that was sent is applied, and returns it, newest first. */
export async function settled(tenant: TenantClient, formId: string, count: number): Promise<Submission[]> {
  return eventually(
    () => submissionsOf(tenant, formId),
    (rows) =>
      rows.length >= count && rows.every(({ contactId, outcome }) => contactId !== null || outcome === 'refused'),
  );
}

/** Viewed, submitted, confirmed, refused. */
export async function formCounts(tenant: TenantClient, formId: string): Promise<number[]> {
  const { counts } = (await tenant.get(`/v2/forms/${formId}`)).body.data;
  return [counts.viewed, counts.submitted, counts.confirmed, counts.refused];
}

export const titleOf = (body: string) => /<h1>(.*)<\/h1>/.exec(body)?.[1]?.replace(/<[^>]*>/g, '');
