import { beforeAll, describe, expect, it } from 'vitest';
import { type TenantClient, useApp } from '../../../../test/app.js';
import { designBody, footer } from '../../../../test/designed-emails.js';
import { makeEmail, tenantWithDomain } from '../../../../test/emails.js';
import type { AuthoredEmail } from '../queries.js';
import { exportTexts } from './exchange-texts.js';

const t = useApp({ work: true });
let tenant: TenantClient;
beforeAll(async () => {
  tenant = await tenantWithDomain(t, [{ email: 'ada@x.io', properties: { first_name: 'Ada' } }]);
});

const item = (...spans: object[]) => ({ type: 'paragraph', spans });
const design = {
  version: 1,
  theme: { lang: 'en' },
  blocks: [
    { type: 'heading', level: 1, content: [item({ text: 'Cats & <dogs>' })] },
    {
      type: 'columns',
      columns: [
        { width: 50, blocks: [{ type: 'image', src: 'https://x.test/a.png', alt: 'A cat' }] },
        { width: 50, blocks: [{ type: 'button', label: 'Go {{ on }}', href: 'https://x.test' }] },
      ],
    },
    {
      type: 'text',
      content: [
        item(
          { text: 'Hello ' },
          { variable: 'first_name', default: 'you' },
          { text: ', ' },
          { text: 'welcome', bold: true },
        ),
        item({ text: '— 1 —' }),
      ],
    },
    { type: 'html', html: '<p>Hi {{ first_name }} & {% if first_name %}more{% endif %}</p>' },
    footer,
  ],
};
const make = async () => {
  const reply = await tenant.post(
    '/v2/emails',
    designBody(design, { subject: 'Hi {{first_name}}', preheader: '1 2 3' }),
  );
  return reply.body.data.emailId as string;
};
const read = async (id: string, query = 'language=de') =>
  (await tenant.get(`/v2/emails/${id}/texts?${query}`)).body.data;
const put = (id: string, body: object, headers = {}) => tenant.put(`/v2/emails/${id}/texts`, body, headers);
const details = (reply: { body: { errors: { detail: string }[] } }) => reply.body.errors.map(({ detail }) => detail);

const sources = {
  subject: 'Hi {{first_name}}',
  'design.blocks[0].content[0]': 'Cats &amp; &lt;dogs>',
  'design.blocks[1].columns[0].blocks[0].alt': 'A cat',
  'design.blocks[1].columns[1].blocks[0].label': 'Go {{ on }}',
  'design.blocks[2].content[0]': 'Hello <2/>, <4>welcome</4>',
  'design.blocks[3].html': '<p>Hi {{ first_name }} & {% if first_name %}more{% endif %}</p>',
  'design.blocks[4].address': 'Example Ltd, 1 High Street',
};
const german: Record<string, string> = {
  subject: 'Hallo {{first_name}}',
  'design.blocks[0].content[0]': 'Katzen &amp; &lt;Hunde>',
  'design.blocks[1].columns[0].blocks[0].alt': 'Eine Katze',
  'design.blocks[1].columns[1].blocks[0].label': 'Los {{ an }}',
  'design.blocks[2].content[0]': '<4>Willkommen</4>, <2/>',
  'design.blocks[3].html': '<p>Hallo {{ first_name }} & {% if first_name %}mehr{% endif %}</p>',
  'design.blocks[4].address': 'Beispiel GmbH',
};

describe('the texts of an email', () => {
  it('are every text of a design with letters in it, and nothing else', async () => {
    const id = await make();
    const { texts, ...about } = await read(id);
    expect(about).toEqual({ emailId: id, language: 'de', sourceLanguage: 'en' });
    expect(texts).toEqual(Object.entries(sources).map(([id, source]) => ({ id, source, target: null })));
  });

  it('come back as JSON, in another order of their parts, and are told as translated', async () => {
    const id = await make();
    const texts = Object.entries(german).map(([id, target]) => ({ id, target }));
    const reply = await put(id, { language: 'DE', texts });
    expect(reply.body.data).toEqual({ emailId: id, language: 'de', applied: 7, skipped: [], missing: ['preheader'] });
    const { data } = (await tenant.get(`/v2/emails/${id}`)).body;
    expect(data.languages.de.design.theme.lang).toBe('de');
    expect(data.languages.de.design.blocks[0].content[0].spans).toEqual([{ text: 'Katzen & <Hunde>' }]);
    expect(data.languages.de.design.blocks[2].content[0].spans).toEqual([
      { text: 'Willkommen', bold: true },
      { text: ', ' },
      { variable: 'first_name', default: 'you' },
    ]);
    const again = (await read(id)).texts as { id: string; target: string }[];
    expect(Object.fromEntries(again.map(({ id, target }) => [id, target]))).toEqual(german);
    expect((await put(id, { language: 'de', texts: again })).body.data.applied).toBe(7);
    expect((await tenant.get(`/v2/emails/${id}`)).body.data.updatedAt).toBe(data.updatedAt);
  });

  it('come back as XLIFF, whatever they contain', async () => {
    const id = await make();
    await put(id, { language: 'de', texts: Object.entries(german).map(([id, target]) => ({ id, target })) });
    const { xliff, texts } = await read(id, 'language=de&format=xliff');
    expect(texts).toBeUndefined();
    expect(xliff).toContain('srcLang="en" trgLang="de"');
    expect(xliff).toContain('<source>Hello <ph id="2"/>, <pc id="4">welcome</pc></source>');
    expect(xliff).toContain('&lt;p&gt;Hi {{ first_name }} &amp; {% if first_name %}more{% endif %}&lt;/p&gt;');
    await tenant.patch(`/v2/emails/${id}`, { languages: null });
    const reply = await put(id, { xliff });
    expect(reply.body.data).toMatchObject({ language: 'de', applied: 7, skipped: [] });
    const again = (await read(id)).texts as { id: string; target: string }[];
    expect(Object.fromEntries(again.map(({ id, target }) => [id, target]))).toEqual(german);
    // As tools write it: in segments, with single codes, marks and a comment.
    const text = 'design.blocks.2.content.0';
    const segments = `<segment><source>Hello <ph id="2"/>, </source><target>Tag <ph id="2"/>, <!-- x --></target></segment>
      <ignorable><source> </source></ignorable>
      <segment><source><sc id="4"/>welcome<ec startRef="4"/></source><target><mrk id="m"><sc id="4"/>will<![CDATA[<&]]><ec startRef="4"/></mrk></target></segment>`;
    const head = '<xliff xmlns="urn:oasis:names:tc:xliff:document:2.0" version="2.1" srcLang="en" trgLang="fr">';
    const document = `${head}<file id="${id}"><unit id="${text}">${segments.replaceAll(/\n\s+/g, '')}</unit></file></xliff>`;
    expect((await put(id, { xliff: document })).body.data).toMatchObject({ language: 'fr', applied: 1 });
    const { data } = (await tenant.get(`/v2/emails/${id}`)).body;
    expect(data.languages.fr.design.blocks[2].content[0].spans).toEqual([
      { text: 'Tag ' },
      { variable: 'first_name', default: 'you' },
      { text: ',  ' },
      { text: 'will<&', bold: true },
    ]);
    expect(data.languages.fr.missing).toContain('design.blocks[0].content[0]');
  });

  it('of an email in HTML are its subject, preheader and html as they are', async () => {
    const html = '<html lang="en-GB"><p>{{ first_name | default: "you" }}\r\n\u0001&amp;</p>{{unsubscribe_url}}';
    const id = await makeEmail(tenant, { html, preheader: 'Read on' });
    const { texts, sourceLanguage } = await read(id);
    expect([sourceLanguage, texts.map(({ source }: { source: string }) => source)]).toEqual([
      ...['en-GB', ['Hello', 'Read on', html]],
    ]);
    const { xliff } = await read(id, 'language=de&format=xliff');
    expect(
      (await put(id, { xliff: xliff.replaceAll('</source>', '</source><target>x{{email}}&amp;amp;</target>') })).body
        .data.missing,
    ).toEqual([]);
    const { data } = (await tenant.get(`/v2/emails/${id}`)).body;
    expect(data.languages.de).toMatchObject({
      subject: 'x{{email}}&amp;',
      preheader: 'x{{email}}&amp;',
      html: 'x{{email}}&amp;',
    });
  });
});

it('have the language of html that begins again and again, in linear time', () => {
  const email = { id: 'x', subject: 'x', preheader: null, html: '<html '.repeat(150_000), design: null };
  const told = exportTexts({ ...email, translations: {} } as unknown as AuthoredEmail, 'de', 'json');
  expect(told.sourceLanguage).toBe('en');
});

describe('texts that come back', () => {
  it('are skipped where the email says something else by now, and kept where the rest changes', async () => {
    const id = await make();
    await put(id, { language: 'de', texts: [{ id: 'subject', source: sources.subject, target: 'Hallo' }] });
    await tenant.patch(`/v2/emails/${id}`, { subject: 'Bye' });
    const late = [
      { id: 'subject', source: sources.subject, target: 'Servus' },
      { id: 'design.blocks[4].address', target: null },
    ];
    const { data } = (await put(id, { language: 'de', texts: late })).body;
    expect(data).toMatchObject({
      applied: 0,
      skipped: [{ id: 'subject', reason: expect.stringContaining('has changed') }],
    });
    expect((await tenant.get(`/v2/emails/${id}`)).body.data.languages.de.subject).toBe('Hallo');
  });

  it('change nothing where one is wrong, and every wrong one is named', async () => {
    const id = await make();
    const bad = async (...texts: object[]) => details(await put(id, { language: 'de', texts }));
    const place = 'design.blocks[2].content[0]';
    expect(
      await bad(
        { id: 'nope', target: 'x' },
        { id: 'design.blocks[9].label', target: 'x' },
        { id: 'subject', target: 'y' },
      ),
    ).toEqual([...['nope: is no text of this email', 'design.blocks[9].label: is no text of this email']]);
    expect(await bad({ id: place, target: '<7/>' })).toEqual([
      `${place}: has <7/>, which is no variable of the source`,
    ]);
    expect(await bad({ id: place, target: '<4>a' })).toEqual([`${place}: has <4> that does not end`]);
    expect(await bad({ id: place, target: '<4><2/></4>' })).toEqual([`${place}: has <2/> inside <4>`]);
    expect(await bad({ id: place, target: 'a</4>' })).toEqual([`${place}: has </4> where none is open`]);
    expect(await bad({ id: 'subject', target: 'a' }, { id: 'subject', target: 'b' })).toEqual([
      'subject: is there twice',
    ]);
    expect(await bad({ id: 'subject', target: '{{ broken' })).toEqual(['languages.de.subject']);
    expect((await put(id, { language: 'German', texts: [] })).status).toBe(400);
    expect((await put(id, { texts: [] })).status).toBe(400);
    expect((await put(id, { language: 'de' })).status).toBe(400);
    expect((await tenant.get(`/v2/emails/${id}/texts`)).status).toBe(400);
    expect((await tenant.get(`/v2/emails/${id}`)).body.data.languages).toBeUndefined();
    const stale = await put(id, { language: 'de', texts: [{ id: 'subject', target: 'x' }] }, { 'if-match': '"7"' });
    expect(stale.status).toBe(412);
  });

  const head = (rest = '') =>
    `<xliff xmlns="urn:oasis:names:tc:xliff:document:2.0" version="2.0" srcLang="en" trgLang="de">${rest}</xliff>`;
  it.each([
    ['a document type', `<!DOCTYPE xliff [<!ENTITY a "b">]>${head()}`, 'document type'],
    ['an entity', head('<file id="ID">&xxe;</file>'), 'cannot be read'],
    ['a bomb', `<!DOCTYPE x [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;">]><x>&b;</x>`, 'document type'],
    ['what is not XML', 'hello', 'cannot be read'],
    ['what ends too soon', head().slice(0, -9), 'cannot be read'],
    [
      'another version',
      '<xliff version="1.2" xmlns="urn:oasis:names:tc:xliff:document:1.2"/>',
      'not a document of XLIFF 2',
    ],
    ['depth', head('<a>'.repeat(60) + '</a>'.repeat(60)), 'too deeply'],
    ['another email', head('<file id="019a8b2c4d5e6f708192a3c1"/>'), 'of another email'],
    ['a unit twice', head('<file id="ID"><unit id="subject"/><unit id="subject"/></file>'), 'twice'],
    ['an unknown unit', head('<file id="ID"><unit id="nope"/></file>'), 'nope: is no text of this email'],
    [
      'codes in plain text',
      head('<file id="ID"><unit id="subject"><segment><source/><target><ph id="1"/></target></segment></unit></file>'),
      'inline codes',
    ],
    [
      'foreign ids',
      head('<file id="ID"><unit id="subject"><segment><source/><target><ph id="x"/></target></segment></unit></file>'),
      'inline code',
    ],
  ])('refuse %s', async (_, xliff, words) => {
    const id = await make();
    const reply = await put(id, { xliff: xliff.replace('ID', id) });
    expect([reply.status, reply.body.errors[0].message]).toEqual([400, expect.stringContaining(words)]);
  });

  it('are not found for another tenant', async () => {
    const id = await make();
    const other = await t.tenant();
    expect((await other.get(`/v2/emails/${id}/texts?language=de`)).status).toBe(404);
    expect((await other.put(`/v2/emails/${id}/texts`, { language: 'de', texts: [] })).status).toBe(404);
  });
});
