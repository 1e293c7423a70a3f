import type { FastifyInstance } from 'fastify';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { FakeLedger, trackingServer } from '../../../../test/tracking.js';
import type { LinkMaker } from '../tracking/tokens.js';
import { languages, texts } from './texts.js';

let ledger: FakeLedger;
let app: FastifyInstance;
let links: LinkMaker;
let logged: string[];
beforeEach(() => {
  ledger = new FakeLedger();
  links = ledger.links('');
  logged = [];
  app = trackingServer(ledger, { logged });
});
afterEach(() => app.close());

const get = (url: string, headers = {}) => app.inject({ url, headers });
const post = (url: string, payload?: string, type?: string) =>
  app.inject({
    method: 'POST',
    url,
    ...(payload === undefined ? {} : { payload }),
    headers: type === undefined ? {} : { 'content-type': type },
  });
const formType = 'application/x-www-form-urlencoded';
const titleOf = (body: string) => /<h1>(.*)<\/h1>/.exec(body)?.[1];

describe('unsubscribing', () => {
  it('asks for confirmation first, and looking changes nothing', async () => {
    for (const method of ['GET', 'HEAD', 'GET'] as const)
      expect((await app.inject({ method, url: links.unsubscribe() })).statusCode).toBe(200);
    const { body } = await get(links.unsubscribe());
    expect(titleOf(body)).toBe('Unsubscribe?');
    expect(body).toContain('<strong><bdi>ada@example.com</bdi></strong> will get no more');
    expect(body).toContain('<form method="post"><button type="submit">Unsubscribe</button></form>');
    expect(ledger.changes).toEqual([]);
  });

  it.each([
    ['one-click', 'List-Unsubscribe=One-Click', formType],
    [
      'one-click in parts',
      '--x\r\nContent-Disposition: form-data; name="List-Unsubscribe"\r\n\r\nOne-Click\r\n--x--\r\n',
      'multipart/form-data; boundary=x',
    ],
    ['nothing', undefined, undefined],
    ['nothing of a type', '', formType],
    ['something without a type', 'x', undefined],
    ['JSON', '{"a":1}', 'application/json'],
    ['broken JSON', '{', 'application/json'],
    ['a type that is none', 'x', ';;'],
    ['another value', 'undo=0', formType],
  ])('is done by a POST of %s', async (_what, payload, type) => {
    const { statusCode, headers, body } = await post(links.unsubscribe(), payload, type);
    expect([statusCode, headers.location]).toEqual([200, undefined]);
    expect(titleOf(body)).toBe('You are unsubscribed');
    expect(ledger.changes).toEqual(['unsubscribe']);
  });

  it('is fine a second time, and is what the page shows from then on', async () => {
    await post(links.unsubscribe());
    expect((await post(links.unsubscribe())).statusCode).toBe(200);
    expect(titleOf((await get(links.unsubscribe())).body)).toBe('You are unsubscribed');
  });

  it('is undone by the form on the confirmation page', async () => {
    const { body } = await post(links.unsubscribe());
    expect(body).toContain('<form method="post"><input type="hidden" name="undo" value="1"><button');
    const undone = await post(links.unsubscribe(), 'undo=1', formType);
    expect([undone.statusCode, titleOf(undone.body)]).toEqual([200, 'You are subscribed again']);
    expect(undone.body).toContain('<form method="get"><button');
    expect(titleOf((await get(`${links.unsubscribe()}?`)).body)).toBe('Unsubscribe?');
    expect(ledger.changes).toEqual(['unsubscribe', 'resubscribe']);
  });

  it('does not work with another link', async () => {
    const token = links.unsubscribe().slice('/t/u/'.length);
    const bad = [token.slice(0, -1), `${token}A`, links.open().slice(5), links.view().slice(5), 'x'];
    for (const each of [...bad.map((one) => `/t/u/${one}`), ledger.links('', 8).unsubscribe().replace(/.$/, 'x')])
      for (const answer of [await get(each), await post(each)]) {
        expect([answer.statusCode, titleOf(answer.body)]).toEqual([404, 'This link doesn’t work']);
      }
    expect(ledger.changes).toEqual([]);
  });

  it('is gone for an erased contact', async () => {
    ledger.subscription = undefined;
    for (const answer of [
      await get(links.unsubscribe()),
      await post(links.unsubscribe()),
      await post(links.unsubscribe(), 'undo=1', formType),
    ])
      expect([answer.statusCode, titleOf(answer.body)]).toEqual([410, 'Nothing here anymore']);
  });

  it('says so when it cannot be done', async () => {
    vi.spyOn(ledger, 'unsubscribe').mockRejectedValue(new Error('no database'));
    const { statusCode, headers, body } = await post(links.unsubscribe());
    expect([statusCode, headers['retry-after'], titleOf(body)]).toEqual([503, '60', 'That didn’t work']);
    expect(body).not.toContain('no database');
    expect(logged).toEqual(['a page for people failed']);
  });

  it('refuses a long body', async () => {
    expect((await post(links.unsubscribe(), 'x'.repeat(20_000), formType)).statusCode).toBe(413);
    expect(ledger.changes).toEqual([]);
  });
});

describe('every page', () => {
  it.each(languages)('is there in %s', async (language) => {
    const headers = { 'accept-language': language };
    const asked = await get(links.unsubscribe(), headers);
    expect(asked.headers).toMatchObject({ 'content-language': language, vary: 'accept-language' });
    expect(asked.body).toContain(`<html lang="${language}">`);
    const { unsubscribe, unknown } = texts[language];
    expect(titleOf(asked.body)).toBe(unsubscribe.title);
    expect(asked.body).toContain(`<button type="submit">${unsubscribe.button}</button>`);
    expect(titleOf((await get('/t/u/x', headers)).body)).toBe(unknown.title);
  });

  it('names the person in each language, if it is about one', () => {
    for (const language of languages)
      for (const [name, { text }] of Object.entries(texts[language]))
        expect(text.includes('{email}'), `${language} ${name}`).toBe(/subscribe|preferences/.test(name));
  });

  it('runs no script, sends its form nowhere else, and is neither cached nor indexed', async () => {
    for (const url of [links.unsubscribe(), '/t/u/x']) {
      const { headers, body } = await get(url);
      expect(headers['content-security-policy']).toMatch(
        /^default-src 'none'; style-src 'sha256-[\w+/]{43}='; form-action 'self'; base-uri 'none'; frame-ancestors 'none'$/,
      );
      expect(headers).toMatchObject({
        'content-type': 'text/html; charset=utf-8',
        'cache-control': 'no-store',
        'x-content-type-options': 'nosniff',
        'referrer-policy': 'no-referrer',
        'x-robots-tag': 'noindex',
      });
      expect(body).not.toMatch(/<script|style=|\son\w+=/);
    }
  });

  it('shows an address as plain text', async () => {
    ledger.subscription = { email: `"<b>$&</b>"@example.com`, isUnsubscribed: false, branding: null };
    const { body } = await get(links.unsubscribe());
    expect(body).toContain('<bdi>&quot;&lt;b&gt;$&amp;&lt;/b&gt;&quot;@example.com</bdi>');
  });
});

describe('the view of a mail', () => {
  it('is its HTML in a sandbox without scripts', async () => {
    ledger.html = '<!doctype html><p style="color:red">Grüße</p><script>x</script>';
    const { statusCode, headers, body } = await get(links.view());
    expect([statusCode, body]).toEqual([200, ledger.html]);
    const policy = String(headers['content-security-policy']);
    expect(policy).toMatch(/^sandbox; default-src 'none'; /);
    expect(policy).not.toMatch(/script|allow-/);
    expect(headers).toMatchObject({
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
      'x-robots-tag': 'noindex',
    });
  });

  it('has links that do not ask for a window, which a sandbox would not give them', async () => {
    ledger.html =
      '<base target=_blank><a target="_blank" href="https://a.test/">x</a><p target="x"><!-- <a target=x> -->';
    const { body } = await get(links.view());
    expect(body).toBe('<base ><a  href="https://a.test/">x</a><p target="x"><!-- <a target=x> -->');
  });

  it('does not work with another link, nor for an erased contact', async () => {
    expect((await get(links.view().replace(/.$/, ''))).statusCode).toBe(404);
    expect((await get(`/t/v/${links.unsubscribe().slice(5)}`)).statusCode).toBe(404);
    ledger.subscription = undefined;
    expect((await get(links.view())).statusCode).toBe(410);
  });
});
