// Forms as strangers meet them: pages, posts of both kinds, and other sites.

import { beforeAll, describe, expect, it } from 'vitest';
import { useApp } from '../../../test/app.js';
import { makeTopic } from '../../../test/consent.js';
import {
  email,
  firstName,
  formCounts,
  honeypot,
  makeForm,
  noBounds,
  postJson,
  postPage,
  settled,
  submissionsOf,
  titleOf,
  urlencoded,
} from '../../../test/forms.js';
import { type Mailer, makeMailer } from '../../../test/messages.js';

const now = new Date('2026-11-18T09:00:00.000Z');
const clock = { now: () => now, elapsed: () => performance.now() };
const t = useApp({ work: true, forms: noBounds, clock });
const own = 'https://shop.example';
let mailer: Mailer;
beforeAll(async () => {
  mailer = await makeMailer(t);
});
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
        expect([reply.status, titleOf(reply.text)]).toEqual([404, 'Form not found']);
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
    expect(titleOf((await postPage(t, asking.path, { email: 'c@page.example' })).text)).toBe('Please check your inbox');
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
      ['email', 'Please enter a valid email address.'],
      ['first_name', 'Please fill this in.'],
      ['size', 'Please choose one of these.'],
      ['terms', 'Please check this box.'],
    ]);
    const json = await postJson(t, form.path, { ...typed, first_name: 7, terms: 'perhaps' });
    expect(json.status).toBe(400);
    expect(json.body.errors.map(({ detail }: { detail: string }) => detail)).toEqual([
      ...['email', 'first_name', 'size', 'terms'],
    ]);
    const long = await postPage(t, form.path, { email: 'a@b.example', first_name: 'x'.repeat(33_000), terms: 'true' });
    expect(long.text).toContain('id="f-first_name-fault">This is too long.');
    const much = 'é'.repeat(100_000);
    const longer = await postPage(t, form.path, { email: 'a@b.example', first_name: 'x', about: much, terms: 'true' });
    expect(longer.status).toBe(400);
    expect(longer.text).toContain('id="f-about-fault">This is too long.');
    expect(longer.text).toContain(`${much}</textarea>`);
    const most = await t.anonymous.post(form.path, `email=${'x'.repeat(1024 * 1024)}`, urlencoded);
    expect([most.status, most.body.errors[0]]).toEqual([
      413,
      { errorCode: 'PAYLOAD_TOO_LARGE', message: 'The body is larger than 1 MiB. Send it in smaller parts.' },
    ]);
    for (const body of ['[]', '7', '{', ''])
      expect((await t.anonymous.post(form.path, body, { 'content-type': 'application/json' })).status).toBe(400);
    expect((await t.anonymous.post(form.path, 'x', { 'content-type': 'text/plain' })).status).toBe(400);
    expect(await submissionsOf(mailer, form.formId)).toEqual([]);
  });

  it('tells by its label what is wrong with a hidden field', async () => {
    const hidden = { property: 'utm_source', label: 'Came <from>', type: 'hidden', required: true };
    const form = await makeForm(mailer, { fields: [email, hidden] });
    const page = await postPage(t, form.path, { email: 'hidden@page.example' });
    expect(page.status).toBe(400);
    expect(page.text).toContain('id="f-utm_source-fault">Came &lt;from&gt;: Please fill this in.</p>');
    const filled = await postPage(t, form.path, { email: 'hidden@page.example', utm_source: 'ads' });
    expect(titleOf(filled.text)).toBe('Thank you');
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

  it('takes a tick as browsers and programs say it, and writes nothing of what is not ticked', async () => {
    const form = await makeForm(mailer, { fields: [email, { property: 'terms', label: 'T', type: 'checkbox' }] });
    const said = {
      on: 'on',
      true: 'true',
      yes: 'Yes',
      one: '1',
      off: 'off',
      false: 'false',
      no: 'no',
      zero: '0',
      none: '',
    };
    for (const [name, terms] of Object.entries(said))
      await postPage(t, form.path, { email: `${name}@tick.example`, terms });
    await postJson(t, form.path, { email: 'json@tick.example', terms: true });
    await postJson(t, form.path, { email: 'not@tick.example', terms: false });
    for (const terms of ['perhaps', 1, 0, {}, ['on']])
      expect((await postJson(t, form.path, { email: 'odd@tick.example', terms })).status).toBe(400);
    const ticked = (await submissionsOf(mailer, form.formId)).filter(({ values }) => values.terms === true);
    expect(ticked.map(({ values }) => values.email).sort()).toEqual(
      ['json', 'on', 'one', 'true', 'yes'].map((name) => `${name}@tick.example`),
    );
    expect(await formCounts(mailer, form.formId)).toEqual([0, 11, 0, 0]);
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
      // What is kept of an answer to one origin is not for another, nor for a page in another language.
      for (const origin of [own, 'https://evil.example']) {
        const { vary } = (await t.anonymous.get(path, { origin })).headers;
        expect(vary).toBe(path === form.path ? 'origin, accept-language' : 'origin');
      }
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
