// One tenant's template must not slow down the others.
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { adminToken, type Reply, type TenantClient, useApp } from '../../../../test/app.js';
import * as mails from '../../../../test/bounces.js';
import { emailBody, makeEmail, tenantWithDomain } from '../../../../test/emails.js';
import { watchTurns } from '../../../../test/processor-time.js';
import { sql } from '../../../db/sql.js';
import { readReports } from '../../../mail/bounces/report.js';
import { renderPerson } from './render-person.js';
import { Renderer } from './renderer.js';

const t = useApp({ work: true });
let hostile: TenantClient;
let other: TenantClient;
beforeAll(async () => {
  hostile = await tenantWithDomain(t, [{ email: 'ada@example.com', properties: { plan: 'pro' } }]);
  other = await tenantWithDomain(t);
});

const long = (text: string) => `{% capture x %}${'a'.repeat(2_000_000)}{% endcapture %}{% assign y = x | ${text} %}`;
const sorts = '| sort: "y" '.repeat(300);
/** Takes minutes, in one step that no limit of liquidjs interrupts. */
const endless = `{% capture x %}${'ab'.repeat(200_000)}{% endcapture %}{% assign y = x | split: "" ${sorts}%}`;
const quotes = (lines: number) => `${'<blockquote>'.repeat(190)}<pre>${'a\n'.repeat(lines)}`;
const nested =
  '{% assign e = "" | split: "," %}{% assign a = e %}{% for i in (1..60) %}{% assign a = e | push: a | push: a %}{% endfor %}{{ a }}';

/** While something is running, another tenant can read, and the event loop is never blocked for long. */
async function whileOthersRead<T>(effect: Promise<T>): Promise<T> {
  const longestTurn = watchTurns();
  let isOver = false;
  const done = effect.finally(() => {
    isOver = true;
  });
  let reads = 0;
  while (!isOver || reads === 0) {
    expect((await other.get('/v2/emails')).status).toBe(200);
    reads++;
  }
  expect(longestTurn()).toBeLessThan(1500);
  return done;
}

/** How many processes were killed so far. */
async function killed(): Promise<number> {
  const response = await t.app.http.inject({ url: '/metrics', headers: { authorization: `Bearer ${adminToken}` } });
  return Number(/^rapport_render_killed_total (\d+)$/m.exec(response.body)?.[1]);
}

const told = ({ status, body }: Reply) => [status, body.errors[0]?.errorCode, body.errors[0]?.detail];

describe('an email that cannot be rendered within bounds', () => {
  it.each([
    ['lists nested without end', nested, /undefined filter: push/],
    [
      'a text that grows with each filter',
      `{{ "${'% '.repeat(90_000)}"${' | url_encode'.repeat(100)} }}`,
      /too expensive/,
    ],
    ['a path looked for in two million letters', long(`split: "" | where: "a.b.c" ${sorts}`), /too expensive/],
    ['two million letters sorted', long(`split: "" | sort: "y" ${sorts}`), /too expensive/],
    ['sorting that never ends', endless, /too expensive to render: it took longer than 500 ms|MB of memory/],
    ['tags behind a raw brace', `{% raw %}{{{% endraw %}${'{%break%}'.repeat(230_000)}`, /more than 10000 tokens/],
    ['a million lines in nested quotes', quotes(1_000_000), /too expensive to render/],
  ])('is refused when it is saved, with the reason: %s', async (_, html, reason) => {
    const reply = await whileOthersRead(hostile.post('/v1/emails', emailBody({ html })));
    expect(told(reply)).toEqual([400, 'VALIDATION_ERROR', 'html']);
    expect(reply.body.errors[0].message).toMatch(reason);
  });

  it('is refused at once when it comes again, and when it comes by PATCH', async () => {
    const body = emailBody({ html: `${endless}<p>` });
    await hostile.post('/v1/emails', body);
    const before = await killed();
    expect(told(await hostile.post('/v1/emails', body))).toEqual([400, 'VALIDATION_ERROR', 'html']);
    // If it were tried again, another process would have to be killed.
    expect(await killed()).toBe(before);
    const id = await makeEmail(hostile);
    const changed = await hostile.patch(`/v2/emails/${id}`, { html: `${endless}<p>` });
    expect(told(changed)).toEqual([400, 'VALIDATION_ERROR', 'html']);
  });

  it('is a problem in a preview, and is not sent, if it was stored before', async () => {
    const id = await makeEmail(hostile, { name: 'Stored before' });
    for (const html of [nested, `${endless}<b>`]) {
      await t.db.run(
        sql`update email set html = ${html} where tenant_id = ${hostile.tenantId} and name = 'Stored before'`,
      );
      const preview = await whileOthersRead(hostile.post(`/v2/emails/${id}/preview`, {}));
      expect([preview.status, preview.body.data.html]).toEqual([200, '']);
      expect(preview.body.data.problems).toMatchObject([
        { field: 'html', message: expect.stringMatching(/undefined filter|is too expensive: it /) },
      ]);
      const sent = await hostile.post(`/v2/emails/${id}/test-send`, { to: 'me@example.org' });
      expect(told(sent)).toEqual([400, 'VALIDATION_ERROR', 'html']);
    }
  });

  it('is a problem in the preview of a draft', async () => {
    const id = await makeEmail(hostile);
    const draft = { html: `${endless}<i>`, subject: 'Fine {{email}}' };
    const { status, body } = await whileOthersRead(
      hostile.post(`/v2/emails/${id}/preview`, { draft, email: 'ada@example.com' }),
    );
    expect([status, body.data.html, body.data.subject]).toEqual([200, '', 'Fine ada@example.com']);
    expect(body.data.problems).toMatchObject([{ field: 'html', message: expect.stringContaining('too expensive') }]);
  });

  it('is counted if a process had to be killed for it', async () => {
    const before = await killed();
    const id = await makeEmail(hostile);
    await hostile.post(`/v2/emails/${id}/preview`, { draft: { html: `${endless}<b>` } });
    expect(await killed()).toBeGreaterThan(before);
  });

  it('costs the others nothing when many come at once: those without a turn are told to wait', async () => {
    const id = await makeEmail(hostile);
    const draft = (n: number) => ({ html: `${endless}${n}` });
    const bombs = Array.from({ length: 60 }, (_, n) => hostile.post(`/v2/emails/${id}/preview`, { draft: draft(n) }));
    const mine = await makeEmail(other, { subject: '{{email}}' });
    expect((await other.post(`/v2/emails/${mine}/preview`, {})).status).toBe(200);
    const replies = await whileOthersRead(Promise.all(bombs));
    const statuses = new Set(replies.map(({ status }) => status));
    expect([...statuses].sort()).toEqual([200, 503]);
    for (const { status, headers } of replies) if (status === 503) expect(headers['retry-after']).toBe('2');
  });
});

describe('the plain-text part', () => {
  async function sentText(html: string): Promise<string> {
    const id = await makeEmail(hostile);
    const version = { assetId: id, email: 'ada@example.com', html: `${html}{{unsubscribe_url}}` };
    expect((await hostile.post('/v2/email-versions', version)).status).toBe(200);
    const body = { to: 'me@example.org', email: 'ada@example.com' };
    const sent = await whileOthersRead(hostile.post(`/v2/emails/${id}/test-send`, body));
    expect(sent.status).toBe(200);
    const { messageId } = sent.body.data;
    return (await hostile.get(`/v2/outbox/${encodeURIComponent(messageId)}`)).body.data.text;
  }

  it('has at least the words if nested quotes would take too long', async () => {
    expect(await sentText(quotes(240_000))).toMatch(/^a a a a/);
  });

  it('is made from a list that begins where Roman numerals end', async () => {
    expect(await sentText('<ol type="i" start="10000"><li>one</li></ol>')).toMatch(/^one/);
  });
});

describe('a rendering process', () => {
  const renderer = new Renderer();
  afterAll(() => renderer.close());
  const links = { unsubscribeUrl: 'https://r.test/u', preferencesUrl: 'https://r.test/p', viewUrl: 'https://r.test/v' };

  const word = fc.constantFrom('plan', 'tags', 'email', '"<x>"', 'seats', 'view_url', 'nothing', 'constructor');
  const filter = fc.constantFrom(
    'upcase',
    'default: "x"',
    'raw',
    'size',
    'join: ","',
    'plus: 1',
    'slice: 1, 2',
    'first',
  );
  const piece = fc.oneof(
    fc.tuple(word, fc.array(filter, { maxLength: 3 })).map(([w, f]) => `{{ ${[w, ...f].join(' | ')} }}`),
    word.map((w) => `{% if ${w} %}yes{% else %}no{% endif %}`),
    word.map((w) => `{% for i in ${w} %}{{ i }}{% endfor %}`),
    fc.constantFrom('{% endif %}', '{{', '<p>é\n', '🙂', '\ud800'),
    fc.string({ maxLength: 5, unit: 'grapheme' }),
  );
  const text = fc.array(piece, { maxLength: 6 }).map((pieces) => pieces.join(''));
  const properties = fc.record(
    {
      plan: fc.oneof(fc.string({ unit: 'grapheme' }), fc.constant(null)),
      tags: fc.array(fc.string(), { maxLength: 3 }),
      seats: fc.integer(),
      constructor: fc.string(),
    },
    { requiredKeys: [] },
  );
  const person = fc.record({
    to: fc.option(fc.record({ email: fc.emailAddress(), properties })),
    links: fc.constant(links),
    withoutHtml: fc.boolean(),
  });

  it('renders the same as this process would', async () => {
    const texts = fc.record({ subject: text, preheader: fc.option(text), html: text });
    await fc.assert(
      fc.asyncProperty(texts, fc.array(person, { minLength: 1, maxLength: 5 }), async (given, people) => {
        fc.pre([given.subject, given.preheader, given.html].some((it) => it?.includes('{')));
        const direct = people.map((it) => renderPerson(given, it));
        expect(await renderer.renderAll(1, given, people)).toEqual(direct);
      }),
      { numRuns: 300 },
    );
  });

  it('renders thousands in order, and fails only for those that exceed the limits', async () => {
    const html = `{{email}}{% if plan == "bomb" %}${endless}{% endif %}`;
    const people = Array.from({ length: 1200 }, (_, i) => ({
      to: { email: `${i}@x.test`, properties: i === 700 ? { plan: 'bomb' } : {} },
      links,
    }));
    const outcomes = await renderer.renderAll(1, { subject: 's', preheader: null, html }, people);
    expect(outcomes).toHaveLength(1200);
    for (const [i, outcome] of outcomes.entries()) {
      if (i === 700) expect(outcome).toMatchObject({ ok: false, failure: { field: 'html' } });
      else expect(outcome).toEqual({ ok: true, texts: { subject: 's', preheader: null, html: `${i}@x.test` } });
    }
  });
});

describe('a mail that came back', () => {
  it('is read in a separate process, with the same result as here', async () => {
    const raw = Buffer.from(mails.postfix);
    expect(await t.app.mail.readReports(raw)).toEqual(await readReports(raw));
    expect(await t.app.mail.readReports(Buffer.from('junk'))).toEqual([]);
  });

  it('costs this process next to nothing, whatever it contains', async () => {
    const costly = Buffer.from(`Content-Type: text/html\r\n\r\n${`${'<a><b'.repeat(12)}\r\n`.repeat(3900)}`);
    const costOf = async (read: (raw: Buffer) => Promise<unknown>) => {
      const before = process.cpuUsage();
      for (let i = 0; i < 5; i++) await read(costly);
      const { user, system } = process.cpuUsage(before);
      return user + system;
    };
    const [there, here] = [await costOf((raw) => t.app.mail.readReports(raw)), await costOf(readReports)];
    expect(there).toBeLessThan(here / 2);
  });
});
