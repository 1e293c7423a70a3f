// Forms as strangers meet them: pages, posts of both kinds, other sites, and robots.

import vm from 'node:vm';
import { gzipSync } from 'node:zlib';
import { beforeAll, describe, expect, it } from 'vitest';
import { type Reply, useApp } from '../../../test/app.js';
import { logOf, makeTopic, statesOf } from '../../../test/consent.js';
import {
  email,
  firstName,
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
const own = 'https://shop.example';
let mailer: Mailer;
beforeAll(async () => {
  mailer = await makeMailer(t);
});
const fault = (reply: Reply) => [reply.status, reply.body.errors[0]?.errorCode, reply.body.errors[0]?.detail];
const challengeIn = (page: string) =>
  JSON.parse((/data-challenge="([^"]*)"/.exec(page)?.[1] ?? '').replaceAll('&quot;', '"').replaceAll('&amp;', '&'));

describe('GET /f/{formKey}', () => {
  it('is a page with every field, the consent text and a challenge, without cookies and inline scripts', async () => {
    const fields = [
      ...[email, { ...firstName, required: true }, { property: 'about', label: 'About <you>', type: 'textarea' }],
      { property: 'size', label: 'Size', type: 'select', options: ['S', 'M "wide"'] },
      ...[
        { property: 'terms', label: 'Terms', type: 'checkbox' },
        { property: 'utm_source', label: 'x', type: 'hidden' },
      ],
    ];
    const consentText = '<script>alert(1)</script> {{ first_name }}';
    const form = await makeForm(mailer, { name: '<b>News</b>', fields, consentText, allowedOrigins: [own] });
    const page = await t.anonymous.get(`${form.path}?utm_source=%22%3E%3Cb%3Eads&first_name=Eve`);
    expect(page.status).toBe(200);
    expect(page.headers['content-type']).toBe('text/html; charset=utf-8');
    expect(page.headers['set-cookie']).toBeUndefined();
    const policy = page.headers['content-security-policy'] ?? '';
    expect(policy).toContain("script-src 'self'");
    expect(policy).toContain(`frame-ancestors ${own}`);
    expect(policy).not.toContain('unsafe-inline');
    expect(page.text).not.toMatch(/<script>|<b>|onclick|onsubmit/);
    expect(titleOf(page.text)).toBe('&lt;b&gt;News&lt;/b&gt;');
    expect(page.text).toContain('&lt;script&gt;alert(1)&lt;/script&gt; {{ first_name }}');
    expect(page.text).toContain('<input type="hidden" name="utm_source" value="&quot;&gt;&lt;b&gt;ads">');
    expect(page.text).toMatch(/<input type="text" id="f-first_name" name="first_name" required value="">/);
    expect(page.text).toContain('<option value="M &quot;wide&quot;">');
    expect(page.text).toContain(`name="${honeypot}"`);
    expect(challengeIn(page.text)).toEqual({
      ...{ algorithm: 'SHA-256', challenge: expect.any(String), maxnumber: expect.any(Number) },
      ...{ salt: expect.any(String), signature: expect.any(String) },
    });
    expect(await formCounts(mailer, form.formId)).toEqual([1, 0, 0, 0]);
    await t.anonymous.send('HEAD', form.path);
    expect(await formCounts(mailer, form.formId)).toEqual([1, 0, 0, 0]);
  });

  it('is in the language of the browser, and framed nowhere unless the form says so', async () => {
    const form = await makeForm(mailer);
    const page = await t.anonymous.get(form.path, { 'accept-language': 'fr' });
    expect(page.text).toContain('<html lang="fr">');
    expect(page.text).toContain('>Envoyer</button>');
    expect(page.headers['content-security-policy']).toContain("frame-ancestors 'none'");
  });

  it('is a page with 404 or 410 where there is no such form, or it is closed, and so are posts', async () => {
    const form = await makeForm(mailer, { state: 'closed' });
    const key = form.path.slice(3);
    const other = await makeForm(mailer);
    await mailer.delete(`/v2/forms/${other.formId}`);
    for (const path of [other.path, `/f/${key.slice(0, -1)}`, `/f/${key}A`, '/f/x', '/f/%00', `/f/${'A'.repeat(40)}`]) {
      for (const reply of [await t.anonymous.get(path), await t.anonymous.post(path, 'email=x', urlencoded)]) {
        expect([reply.status, titleOf(reply.text)]).toEqual([404, 'There is no such form']);
      }
    }
    for (const reply of [await t.anonymous.get(form.path), await t.anonymous.post(form.path, 'email=x', urlencoded)])
      expect([reply.status, titleOf(reply.text)]).toEqual([410, 'This form is closed']);
    expect((await t.anonymous.get(`${form.path}/challenge`)).status).toBe(410);
    expect(await submissionsOf(mailer, form.formId)).toEqual([]);
    expect((await t.anonymous.send('PUT', form.path)).status).toBe(405);
  });
});

describe('POST /f/{formKey}', () => {
  it('answers a page, or leads on to the address of the form', async () => {
    const form = await makeForm(mailer, { success: { message: 'You <i>rock</i> {{ x }}' } });
    const page = await postPage(t, form.path, { email: 'a@page.example' });
    expect([page.status, titleOf(page.text)]).toEqual([200, 'Thank you']);
    expect(page.text).toContain('You &lt;i&gt;rock&lt;/i&gt; {{ x }}');
    const next = await makeForm(mailer, { success: { url: 'https://shop.example/thanks?a=1' } });
    const led = await postPage(t, next.path, { email: 'b@page.example' });
    expect([led.status, led.headers.location]).toEqual([303, 'https://shop.example/thanks?a=1']);
    expect((await t.anonymous.get(next.path)).headers['content-security-policy']).toContain(
      "form-action 'self' https://shop.example;",
    );
    const topicId = await makeTopic(mailer, 'Asks', { doubleOptIn: true });
    const asking = await makeForm(mailer, { topicIds: [topicId] });
    expect(titleOf((await postPage(t, asking.path, { email: 'c@page.example' })).text)).toBe(
      'Please look into your mailbox',
    );
  });

  it('tells what is wrong beside its field, and loses nothing that was typed', async () => {
    const fields = [
      ...[email, { ...firstName, required: true }, { property: 'about', label: 'About', type: 'textarea' }],
      { property: 'size', label: 'Size', type: 'select', options: ['S', 'M'] },
      { property: 'terms', label: 'Terms', type: 'checkbox', required: true },
    ];
    const form = await makeForm(mailer, { fields });
    const typed = { email: 'no "address"', about: 'a\n<b>', size: 'XL', other: 'x' };
    const page = await postPage(t, form.path, typed);
    expect(page.status).toBe(400);
    expect(page.text).toContain('value="no &quot;address&quot;"');
    expect(page.text).toContain('a\n&lt;b&gt;</textarea>');
    const told = [...page.text.matchAll(/id="f-(\w+)-fault">([^<]*)</g)].map(([, name, words]) => [name, words]);
    expect(told).toEqual([
      ['email', 'This is not an email address.'],
      ['first_name', 'Please fill this in.'],
      ['size', 'Please choose one of these.'],
      ['terms', 'Please fill this in.'],
    ]);
    const json = await postJson(t, form.path, { ...typed, first_name: 7, terms: 'perhaps' });
    expect(json.status).toBe(400);
    expect(json.body.errors.map(({ detail }: { detail: string }) => detail)).toEqual([
      ...['email', 'first_name', 'size', 'terms'],
    ]);
    const long = await postPage(t, form.path, { email: 'a@b.example', first_name: 'x'.repeat(33_000), terms: 'true' });
    expect(long.text).toContain('id="f-first_name-fault">This is too long.');
    for (const body of ['[]', '7', '{', ''])
      expect((await t.anonymous.post(form.path, body, { 'content-type': 'application/json' })).status).toBe(400);
    expect((await t.anonymous.post(form.path, 'x', { 'content-type': 'text/plain' })).status).toBe(400);
    expect(await submissionsOf(mailer, form.formId)).toEqual([]);
  });

  it('writes the fields of the form alone: a tick as true, hidden ones too, and no others', async () => {
    const fields = [
      ...[email, firstName, { property: 'terms', label: 'T', type: 'checkbox' }],
      ...[
        { property: 'more', label: 'M', type: 'checkbox' },
        { property: 'utm_source', label: 'U', type: 'hidden' },
      ],
    ];
    const form = await makeForm(mailer, { fields });
    const sent = { email: 'E@Values.example', first_name: ' Eve ', terms: 'on', utm_source: 'ads' };
    await postPage(t, form.path, { ...sent, plan: 'pro', unsubscribed: 'true', topics: 'x', __proto__: 'x' });
    const [row] = await settled(mailer, form.formId, 1);
    const values = { first_name: 'Eve', terms: true, utm_source: 'ads' };
    expect(row?.values).toEqual({ email: 'e@values.example', ...values });
    const contact = (await mailer.get(`/v2/contacts/${row?.contactId}`)).body.data;
    expect(contact.properties).toEqual(values);
    expect((await mailer.get(`/v2/contacts/${row?.contactId}/activity`)).status).toBeLessThan(500);
  });

  it('lets scripts of the named origins send, and of no others', async () => {
    const form = await makeForm(mailer, { allowedOrigins: [own] });
    for (const path of [form.path, `${form.path}/challenge`]) {
      const asked = { 'access-control-request-method': 'POST', 'access-control-request-headers': 'content-type' };
      const ours = await t.anonymous.send('OPTIONS', path, undefined, { origin: own, ...asked });
      expect([ours.status, ours.headers['access-control-allow-origin']]).toEqual([204, own]);
      expect(ours.headers['access-control-allow-headers']).toBe('content-type');
      const theirs = await t.anonymous.send('OPTIONS', path, undefined, { origin: 'https://evil.example', ...asked });
      expect([theirs.status, theirs.headers['access-control-allow-origin']]).toEqual([204, undefined]);
    }
    const sent = await postJson(t, form.path, { email: 'cors@page.example' }, { origin: own });
    expect([sent.headers['access-control-allow-origin'], sent.body]).toEqual([own, { ok: true, pending: false }]);
    const challenge = await t.anonymous.get(`${form.path}/challenge`, { origin: own });
    expect(challenge.headers['access-control-allow-origin']).toBe(own);
    const bad = await postJson(t, form.path, { email: 'x' }, { origin: own });
    expect([bad.status, bad.headers['access-control-allow-origin']]).toEqual([400, own]);
    const other = await postJson(t, form.path, { email: 'x@y.example' }, { origin: 'https://evil.example' });
    expect(other.headers['access-control-allow-origin']).toBeUndefined();
  });
});

describe('robots', () => {
  it('that fill in the field that people do not see are refused, and do not see it', async () => {
    const topicId = await makeTopic(mailer, 'Quiet', { doubleOptIn: true });
    const form = await makeForm(mailer, { topicIds: [topicId] });
    const json = await postJson(t, form.path, { email: 'bot@bots.example', [honeypot]: '555' });
    expect([json.status, json.body]).toEqual([200, { ok: true, pending: true }]);
    const page = await postPage(t, form.path, { email: 'bot@bots.example', [honeypot]: '555' });
    expect(titleOf(page.text)).toBe('Please look into your mailbox');
    expect(await submissionsOf(mailer, form.formId)).toMatchObject([
      { outcome: 'refused', reason: 'honeypot', contactId: null },
      { outcome: 'refused', reason: 'honeypot', values: { email: 'bot@bots.example' } },
    ]);
    expect(await formCounts(mailer, form.formId)).toEqual([0, 0, 0, 2]);
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
      expect(titleOf(sent.text)).toBe('Please look into your mailbox');
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

  it('answers the challenge of a page, and sends the form', async () => {
    const form = await makeForm(mailer);
    const page = await t.anonymous.get(form.path);
    const { text } = await t.anonymous.get('/f/form.js');
    const altcha = await new Promise<string>((resolve) => {
      let onSubmit = (_event: object) => undefined as unknown;
      const field = { value: '' };
      const element = {
        hasAttribute: () => false,
        getAttribute: () => JSON.stringify(challengeIn(page.text)),
        addEventListener: (_name: string, listener: typeof onSubmit) => {
          onSubmit = listener;
        },
        querySelector: () => field,
      };
      class HTMLFormElement {
        submit() {
          resolve(field.value);
        }
      }
      const document = { readyState: 'complete', querySelectorAll: () => [element] };
      vm.runInNewContext(text, { document, HTMLFormElement, setTimeout, btoa });
      onSubmit({ preventDefault: () => undefined });
    });
    expect((await postJson(t, form.path, { email: 'script@page.example', altcha })).body).toEqual({
      ...{ ok: true, pending: false },
    });
  });
});
