// What keeps robots out of forms, and the script that answers for people.

import vm from 'node:vm';
import { gzipSync } from 'node:zlib';
import { solveChallenge } from 'altcha-lib/v1';
import { beforeAll, describe, expect, it } from 'vitest';
import { type Reply, useApp } from '../../../test/app.js';
import { logOf, makeTopic, statesOf } from '../../../test/consent.js';
import {
  email,
  formCounts,
  honeypot,
  makeForm,
  noBounds,
  postJson,
  postPage,
  proofFor,
  settled,
  solve,
  submissionsOf,
  titleOf,
  urlencoded,
} from '../../../test/forms.js';
import { eventually, type Mailer, makeMailer } from '../../../test/messages.js';

let now = new Date('2026-11-18T09:00:00.000Z');
const clock = { now: () => now, elapsed: () => performance.now() };
const t = useApp({ work: true, forms: noBounds, clock });
let mailer: Mailer;
beforeAll(async () => {
  mailer = await makeMailer(t);
});
const fault = (reply: Reply) => [reply.status, reply.body.errors[0]?.errorCode, reply.body.errors[0]?.detail];
const challengeIn = (page: string) =>
  JSON.parse((/data-challenge="([^"]*)"/.exec(page)?.[1] ?? '').replaceAll('&quot;', '"').replaceAll('&amp;', '&'));

describe('robots', () => {
  it('that fill in the field that people do not see are refused, and do not see it', async () => {
    const topicId = await makeTopic(mailer, 'Quiet', { doubleOptIn: true });
    const form = await makeForm(mailer, { topicIds: [topicId] });
    const json = await postJson(t, form.path, { email: 'bot@bots.example', [honeypot]: '555' });
    expect([json.status, json.body]).toEqual([200, { ok: true, pending: true }]);
    const page = await postPage(t, form.path, { email: 'bot@bots.example', [honeypot]: '555' });
    expect(titleOf(page.text)).toBe('Please check your inbox');
    expect(await submissionsOf(mailer, form.formId)).toMatchObject([
      { outcome: 'refused', reason: 'honeypot', contactId: null },
      { outcome: 'refused', reason: 'honeypot', values: { email: 'bot@bots.example' } },
    ]);
    expect(await formCounts(mailer, form.formId)).toEqual([0, 0, 0, 2]);
    const much = { email: 'bot@bots.example', first_name: 'x'.repeat(500_000), [honeypot]: '555' };
    expect((await postJson(t, form.path, much)).body).toEqual({ ok: true, pending: true });
    expect((await submissionsOf(mailer, form.formId))[0]?.values).toEqual({ email: 'bot@bots.example' });
    expect((await mailer.get('/v2/messages?email=bot@bots.example')).body.data).toEqual([]);
    expect((await mailer.get('/v2/contacts/by-email/bot@bots.example')).status).toBe(400);
  });

  it('without a proof are asked for it: by a page that has all that was typed, or by an error', async () => {
    const form = await makeForm(mailer);
    const page = await postPage(t, form.path, { email: 'p@proof.example', first_name: '<Pat>', altcha: '' });
    expect([page.status, titleOf(page.text)]).toEqual([200, 'One moment']);
    expect(page.text).toContain('<input type="hidden" name="first_name" value="&lt;Pat&gt;">');
    expect(page.text).toContain('data-rapport-now');
    const json = await postJson(t, form.path, { email: 'p@proof.example', altcha: undefined });
    expect(fault(json)).toEqual([400, 'VALIDATION_ERROR', 'altcha']);
    expect(await submissionsOf(mailer, form.formId)).toEqual([]);
    // The script of that page answers.
    const altcha = solve(challengeIn(page.text));
    expect(titleOf((await postPage(t, form.path, { email: 'p@proof.example', altcha })).text)).toBe('Thank you');
  });

  it('are given challenges that programs of ALTCHA can answer', async () => {
    const form = await makeForm(mailer);
    const challenge = (await t.anonymous.get(`${form.path}/challenge`)).body;
    const { algorithm, salt, maxnumber } = challenge;
    const found = await solveChallenge(challenge.challenge, salt, algorithm, maxnumber).promise;
    const altcha = Buffer.from(JSON.stringify({ ...challenge, number: found?.number })).toString('base64');
    expect((await postJson(t, form.path, { email: 'library@proof.example', altcha })).status).toBe(200);
  });

  it('use a proof once, for its form, in time, and cannot make one up', async () => {
    const [form, other] = [await makeForm(mailer), await makeForm(mailer)];
    const altcha = await proofFor(t, form.path);
    expect((await postJson(t, form.path, { email: 'one@proof.example', altcha })).status).toBe(200);
    expect(fault(await postJson(t, form.path, { email: 'two@proof.example', altcha }))[2]).toBe('altcha');
    const swapped = await proofFor(t, other.path);
    const payload = JSON.parse(Buffer.from(await proofFor(t, form.path), 'base64').toString());
    const changed = (change: object) => Buffer.from(JSON.stringify({ ...payload, ...change })).toString('base64');
    const bad = [
      ...[swapped, 'x', changed({ number: payload.number + 1 }), changed({ signature: '0'.repeat(64) })],
      ...[
        changed({ algorithm: 'SHA-1' }),
        changed({ salt: payload.salt.replace(/expires=\d+/, 'expires=9999999999') }),
      ],
      ...[changed({ number: '1' }), changed({ challenge: 7 }), Buffer.from('null').toString('base64')],
    ];
    for (const each of bad) {
      const sent = await postJson(t, form.path, { email: 'bad@proof.example', altcha: each });
      expect(fault(sent)[2]).toBe('altcha');
    }
    const before = now;
    const early = await proofFor(t, form.path);
    now = new Date(before.getTime() + 3_700_000);
    expect(fault(await postJson(t, form.path, { email: 'late@proof.example', altcha: early }))[2]).toBe('altcha');
    now = before;
    const rows = await submissionsOf(mailer, form.formId);
    expect(rows.filter(({ outcome }) => outcome === 'refused').map(({ reason }) => reason)).toEqual(
      Array.from({ length: bad.length + 1 }, () => 'proof'),
    );
    expect(await formCounts(mailer, form.formId)).toEqual([0, 1, 0, bad.length + 1]);
    expect((await mailer.get('/v2/contacts/by-email/bad@proof.example')).status).toBe(400);
  });

  it('use a proof once, also at the same time', async () => {
    const form = await makeForm(mailer);
    const altcha = await proofFor(t, form.path);
    const replies = await Promise.all(
      Array.from({ length: 10 }, (_, i) => postJson(t, form.path, { email: `n${i}@same.example`, altcha })),
    );
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(await formCounts(mailer, form.formId)).toEqual([0, 1, 0, 9]);
  });

  it('without a script are offered a mail instead, and are pending, whatever the topics are', async () => {
    const topicId = await makeTopic(mailer, 'Open');
    for (const change of [{ topicIds: [topicId] }, { topicIds: undefined }]) {
      const list = await mailer.post('/v2/lists', { name: `By mail ${change.topicIds}` });
      const listId = list.body.data.staticListId;
      const form = await makeForm(mailer, { topicIds: change.topicIds ?? [], listId });
      const address = `${change.topicIds ? 'with' : 'without'}@noscript.example`;
      const asked = await postPage(t, form.path, { email: address, altcha: '' });
      const button = /<noscript>.*name="([\w-]+)" value="(\w+)"/s.exec(asked.text) ?? [];
      const fields = { email: address, [button[1] as string]: button[2] as string };
      const sent = await t.anonymous.post(form.path, new URLSearchParams(fields).toString(), urlencoded);
      expect(titleOf(sent.text)).toBe('Please check your inbox');
      const [row] = await settled(mailer, form.formId, 1);
      expect(row?.outcome).toBe('pending');
      const members = async () => (await mailer.get(`/v2/lists/${listId}/members`)).body.data.length;
      expect(await members()).toBe(0);
      const outbox = async () => (await mailer.get(`/v2/outbox?pageSize=200`)).body.data;
      const mails = await eventually(outbox, (found) => found.some(({ to }: { to: string }) => to === address));
      const { messageId } = mails.find(({ to }: { to: string }) => to === address);
      const mail = (await mailer.get(`/v2/outbox/${encodeURIComponent(messageId)}`)).body.data;
      const link = /http:\/\/rapport\.test(\/t\/y\/[\w-]+)/.exec(mail.text)?.[1] ?? '';
      expect((await t.anonymous.post(link, '', urlencoded)).status).toBe(200);
      expect(await eventually(members, (n) => n === 1)).toBe(1);
      expect((await settled(mailer, form.formId, 1))[0]?.outcome).toBe('confirmed');
      const contactId = row?.contactId as string;
      if (change.topicIds) expect(await statesOf(mailer, contactId)).toMatchObject({ open: 'subscribed' });
      if (change.topicIds) expect((await logOf(mailer, contactId)).at(-1)).toEqual(['subscribed', 'confirmation']);
    }
  });

  it('are offered no mail where none can be sent', async () => {
    const tenant = await t.tenant();
    const form = await makeForm(tenant);
    const asked = await postPage(t, form.path, { email: 'a@b.example', altcha: '' });
    expect(asked.text).not.toContain('by-mail');
    const sent = await t.anonymous.post(form.path, 'email=a%40b.example&by-mail=1', urlencoded);
    expect(titleOf(sent.text)).toBe('One moment');
    expect(await submissionsOf(tenant, form.formId)).toEqual([]);
  });
});

describe('the script', () => {
  it('takes at most 4 KB, and any site may load it', async () => {
    const script = await t.anonymous.get('/f/form.js');
    expect(script.headers['content-type']).toBe('text/javascript; charset=utf-8');
    expect(script.headers['cross-origin-resource-policy']).toBe('cross-origin');
    expect(gzipSync(script.text).length).toBeLessThanOrEqual(4096);
  });

  it('finds the challenge of a form that has a field called action', async () => {
    const form = await makeForm(mailer, { fields: [email, { property: 'action', label: 'Action', type: 'text' }] });
    const { text } = await t.anonymous.get('/f/form.js');
    const asked = await new Promise<string>((resolve) => {
      let onSubmit = (_event: object) => undefined as unknown;
      const element = {
        // As browsers have it: a field covers the form's own property.
        action: { name: 'action' },
        hasAttribute: () => false,
        getAttribute: (name: string) => (name === 'action' ? `http://rapport.test${form.path}?from=shop` : null),
        addEventListener: (_name: string, listener: typeof onSubmit) => {
          onSubmit = listener;
        },
        querySelectorAll: () => [],
      };
      const document = { readyState: 'complete', querySelectorAll: () => [element] };
      const fetch = (url: string) => {
        resolve(url);
        return new Promise(() => undefined);
      };
      vm.runInNewContext(text, { document, fetch, location: { search: '' }, URLSearchParams });
      onSubmit({ preventDefault: () => undefined });
    });
    expect(asked).toBe(`http://rapport.test${form.path}/challenge`);
  });

  it('answers the challenge of a page, sends the form, and fills in hidden fields from the query of the page', async () => {
    const form = await makeForm(mailer);
    const page = await t.anonymous.get(form.path);
    const { text } = await t.anonymous.get('/f/form.js');
    const hidden = [
      { name: 'utm_source', value: '' },
      { name: 'utm_medium', value: 'given' },
      { name: 'utm_term', value: '' },
    ];
    const altcha = await new Promise<string>((resolve) => {
      let onSubmit = (_event: object) => undefined as unknown;
      const field = { value: '' };
      const location = { search: '?utm_source=a%26b&utm_medium=mail' };
      const element = {
        hasAttribute: () => false,
        getAttribute: () => JSON.stringify(challengeIn(page.text)),
        addEventListener: (_name: string, listener: typeof onSubmit) => {
          onSubmit = listener;
        },
        querySelector: () => field,
        querySelectorAll: () => hidden,
      };
      class HTMLFormElement {
        submit() {
          resolve(field.value);
        }
      }
      const document = { readyState: 'complete', querySelectorAll: () => [element] };
      vm.runInNewContext(text, { document, HTMLFormElement, setTimeout, btoa, location, URLSearchParams });
      onSubmit({ preventDefault: () => undefined });
    });
    expect(hidden.map(({ value }) => value)).toEqual(['a&b', 'given', '']);
    expect((await postJson(t, form.path, { email: 'script@page.example', altcha })).body).toEqual({
      ...{ ok: true, pending: false },
    });
  });
});
