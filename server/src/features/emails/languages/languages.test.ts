import { setTimeout as sleep } from 'node:timers/promises';
import { beforeAll, describe, expect, it } from 'vitest';
import { type TenantClient, useApp } from '../../../../test/app.js';
import { designBody, designOf, makeSaved, paragraph, savedRef } from '../../../../test/designed-emails.js';
import { emailBody, tenantWithDomain } from '../../../../test/emails.js';
import { png } from '../../../../test/pictures.js';
import { bytes, sql } from '../../../db/sql.js';
import { lockEmail } from '../queries.js';

const t = useApp({ work: true });
let tenant: TenantClient;
beforeAll(async () => {
  tenant = await tenantWithDomain(t, [
    { email: 'ada@x.io', properties: { first_name: 'Ada', language: 'de-AT' } },
    { email: 'bob@x.io', properties: { first_name: 'Bob' } },
  ]);
});

const footer = '<a href="{{unsubscribe_url}}">-</a>';
const own = { subject: 'Hello', preheader: 'Read on', html: `<p>Hello {{first_name}}</p>${footer}` };
const de = { subject: 'Hallo {{first_name}}', preheader: 'Lies weiter', html: `<p>Hallo {{first_name}}</p>${footer}` };
const shown = (given: object, missing: string[] = []) => ({
  ...{ subject: null, preheader: null, html: null, design: null, ...given },
  missing,
});
const make = async (languages: unknown, change = {}) =>
  tenant.post('/v2/emails', emailBody({ ...own, languages, ...change }));
const made = async (languages: unknown, change = {}) => (await make(languages, change)).body.data;
const details = (reply: { body: { errors: { detail: string }[] } }) => reply.body.errors.map(({ detail }) => detail);

describe('languages of an email', () => {
  it('are stored, and answered in the order of their tags', async () => {
    const { emailId, languages } = await made({ 'PT-br': { subject: 'Olá' }, de });
    const pt = shown({ subject: 'Olá' }, ['preheader', 'html']);
    expect(languages).toEqual({ de: shown(de), 'pt-BR': pt });
    expect(Object.keys(languages)).toEqual(['de', 'pt-BR']);
    for (const version of ['v1', 'v2'])
      expect((await tenant.get(`/${version}/emails/${emailId}`)).body.data.languages).toEqual({
        de: shown(de),
        'pt-BR': pt,
      });
  });

  it('are not mentioned where there are none', async () => {
    for (const languages of [undefined, null, {}]) {
      const data = await made(languages);
      expect(Object.hasOwn(data, 'languages')).toBe(false);
      const { data: revision } = (await tenant.get(`/v2/emails/${data.emailId}/history/1`)).body;
      expect(Object.hasOwn(revision, 'languages')).toBe(false);
    }
  });

  it('change one by one and field by field; null removes', async () => {
    const { emailId } = await made({ de, fr: { subject: 'Bonjour' } });
    const path = `/v2/emails/${emailId}`;
    const patch = async (languages: unknown) => (await tenant.patch(path, { languages })).body.data.languages;
    expect(await patch({ de: { subject: 'Servus', preheader: '' } })).toMatchObject({
      de: { ...de, subject: 'Servus', preheader: '', missing: [] },
      fr: { subject: 'Bonjour' },
    });
    expect(Object.keys(await patch({ fr: null, it: { subject: 'Ciao' } }))).toEqual(['de', 'it']);
    expect(await patch({ it: { subject: null, html: 'x' } })).toMatchObject({ it: { subject: null, html: 'x' } });
    expect(await patch({ it: { html: null } })).toMatchObject({ it: shown({}, ['subject', 'preheader', 'html']) });
    expect((await tenant.patch(path, { subject: 'Hi' })).body.data.languages).toMatchObject({
      de: { subject: 'Servus' },
    });
    expect(await patch(null)).toBeUndefined();
  });

  it('are part of the history, and can be restored', async () => {
    const { emailId } = await made({ de, fr: { subject: 'Bonjour' } });
    const path = `/v2/emails/${emailId}`;
    await tenant.patch(path, { languages: { de: { subject: 'Servus' }, fr: null, it: { subject: 'Ciao' } } });
    await tenant.patch(path, { languages: { it: { subject: 'Ciao' } } });
    const history = (await tenant.get(`${path}/history`)).body.data;
    expect(history.map(({ changed }: { changed: string[] }) => changed)).toEqual([['languages'], []]);
    expect((await tenant.get(`${path}/history/1`)).body.data.languages).toEqual({
      ...{ de: shown(de), fr: shown({ subject: 'Bonjour' }, ['preheader', 'html']) },
    });
    const { data } = (await tenant.post(`${path}/restore`, { revision: 1 })).body;
    expect(data.languages).toMatchObject({ de, fr: { subject: 'Bonjour' } });
    expect(Object.keys(data.languages)).toEqual(['de', 'fr']);
    expect((await tenant.get(`${path}/history/3`)).body.data.restoredFrom).toBe(1);
  });

  it('are refused with the place of every fault', async () => {
    const bad = async (languages: unknown) => {
      const reply = await make(languages);
      return [reply.status, ...details(reply)];
    };
    expect(await bad('de')).toEqual([400, 'languages']);
    expect(await bad({ German: de, DE: de, de, 'a b': de })).toEqual([
      ...[400, 'languages.German: must be a language tag, such as de or pt-BR'],
      ...['languages.de: is de once more', 'languages["a b"]: must be a language tag, such as de or pt-BR'],
    ]);
    expect(await bad({ de: 'Hallo' })).toEqual([400, 'languages.de']);
    expect(await bad({ de: { subject: 7 }, fr: { subject: 'a\nb', preheader: 'x'.repeat(999), html: '' } })).toEqual([
      ...[400, 'languages.de.subject', 'languages.fr.subject', 'languages.fr.preheader', 'languages.fr.html'],
    ]);
    expect(await bad({ de: { subject: '{{ x' } })).toEqual([400, 'languages.de.subject']);
    expect(await bad({ de: { html: 'x'.repeat(2 * 1024 * 1024 + 1) } })).toEqual([400, 'languages.de.html']);
    expect(await bad({ de: { html: 'x', design: designOf() } })).toEqual([400, 'languages.de.html']);
    expect(await bad({ de: { subject: '\ud800' } })).toEqual([400, 'languages.de.subject']);
    const unknown = await make({ de: { html: '<p>{{nobody_has_it}}</p>' } });
    expect(unknown.body.errors[0]).toMatchObject({
      ...{ errorCode: 'UnknownVariablesException', detail: 'languages.de.html' },
    });
    const link = { type: 'button', label: 'x', href: 'javascript:x' };
    expect(details(await make({ de: { design: designOf(paragraph('x'), link) } }))[0]).toMatch(
      /^languages\.de\.design\.blocks\[1\]\.href: /,
    );
    expect(details(await make({ de: { design: { version: 1, blocks: [paragraph('x')] } } }))[0]).toMatch(
      /^languages\.de\.design.*unsubscribe/,
    );
  });

  it('are at most 50, and 8 MiB', async () => {
    const many = (n: number) =>
      Object.fromEntries(Array.from({ length: n }, (_, i) => [`de-varia${10 + i}`, { subject: 'x' }]));
    const { emailId } = await made(many(50));
    expect(details(await make(many(51)))).toEqual(['languages']);
    expect(details(await tenant.patch(`/v2/emails/${emailId}`, { languages: { de } }))).toEqual(['languages']);
    const html = 'x'.repeat(1_900_000);
    const big = await made({ de: { html }, fr: { html }, it: { html }, es: { html } });
    const more = await tenant.patch(`/v2/emails/${big.emailId}`, { languages: { pt: { html } } });
    expect(more.body.errors[0].message).toMatch(/^languages take 9500000 bytes in all; at most 8388608 are allowed/);
  });

  it('conflict as other edits do', async () => {
    const { emailId } = await made({ de });
    const path = `/v2/emails/${emailId}`;
    await tenant.patch(path, { languages: { fr: { subject: 'Bonjour' } } });
    const late = await tenant.patch(path, { languages: { de: null } }, { 'if-match': '"1"' });
    expect([late.status, late.body.errors[0].errorCode]).toEqual([412, 'EDIT_CONFLICT']);
    // Without a condition, those who translate into different languages do not undo each other.
    const tags = ['it', 'es', 'pt', 'nl'];
    await Promise.all(tags.map((tag) => tenant.patch(path, { languages: { [tag]: { subject: tag } } })));
    expect(Object.keys((await tenant.get(path)).body.data.languages).sort()).toEqual(['de', 'fr', ...tags].sort());
  });

  it('may be those of before for whom waited while they were changed', async () => {
    const { emailId } = await made(undefined);
    const { tenantId } = tenant;
    let locked: Promise<unknown> | undefined;
    await t.db.transaction(async (tx) => {
      const own = sql`tenant_id = ${tenantId} and email_id = ${bytes(emailId)}`;
      await tx.run(sql`update email set languages = '{de}', revision = 2 where ${own}`);
      await tx.run(
        sql`insert into email_language (tenant_id, email_id, language) values (${tenantId}, ${bytes(emailId)}, 'de')`,
      );
      locked = t.db.transaction((other) => lockEmail(other, tenantId, emailId));
      await sleep(300);
    });
    expect(await locked).toMatchObject({ revision: 2, translations: {} });
  });
});

describe('a design in another language', () => {
  it('is compiled, and says its language unless its theme does', async () => {
    const { data } = (
      await tenant.post(
        '/v2/emails',
        designBody(designOf(paragraph('Hello')), { languages: { ar: { design: designOf(paragraph('أهلا')) } } }),
      )
    ).body;
    expect(data.languages.ar.html).toContain('<html lang="ar" dir="rtl"');
    expect(data.languages.ar.design.theme).toBeUndefined();
    expect(data.html).toContain('<html lang="en"');
    const compiled = await tenant.post('/v2/emails/compile', { design: designOf(paragraph('أهلا')), language: 'ar' });
    expect(compiled.body.data.html).toBe(data.languages.ar.html);
    expect((await tenant.post('/v2/emails/compile', { design: designOf(), language: 'German' })).status).toBe(400);
  });

  it('follows its saved blocks, and keeps them and its files from going', async () => {
    const blockId = await makeSaved(tenant, paragraph('Alt'));
    const { url, fileId } = (await tenant.post('/v2/files', png(8, 8), { 'content-type': 'image/png' })).body.data;
    const picture = { type: 'image', src: url, alt: '' };
    const { emailId } = await made({ de: { design: designOf(savedRef(blockId), picture) } });
    expect((await tenant.delete(`/v2/blocks/${blockId}`)).status).toBe(409);
    expect((await tenant.delete(`/v2/files/${fileId}`)).status).toBe(409);
    await tenant.patch(`/v2/blocks/${blockId}`, { blocks: [paragraph('Neu')] });
    const { data } = (await tenant.get(`/v2/emails/${emailId}`)).body;
    expect(data.languages.de.html).toContain('Neu');
    expect(data.languages.de.html).not.toContain('Alt');
    const broken = await tenant.patch(`/v2/blocks/${blockId}`, {
      blocks: [{ type: 'html', html: '{% if %}' }],
    });
    expect(broken.status).toBe(400);
    await tenant.patch(`/v2/emails/${emailId}`, { languages: { de: null } });
    expect((await tenant.delete(`/v2/blocks/${blockId}`)).status).toBe(200);
    expect((await tenant.delete(`/v2/files/${fileId}`)).status).toBe(200);
  });

  it('ends with html, and with null, which keeps the html', async () => {
    const design = designOf(paragraph('Hallo'));
    const { emailId, languages } = await made({ de: { design } });
    const patch = async (change: object) =>
      (await tenant.patch(`/v2/emails/${emailId}`, { languages: { de: change } })).body.data.languages.de;
    expect(await patch({ design: null })).toMatchObject({ design: null, html: languages.de.html });
    expect(await patch({ design })).toMatchObject({ design });
    expect(await patch({ html: 'x' })).toMatchObject({ design: null, html: 'x' });
  });
});

describe('a preview', () => {
  it('shows what a contact reads, or the language that is asked for', async () => {
    const { emailId } = await made({ de, 'pt-BR': { subject: 'Olá' } });
    const preview = async (body: object) => {
      const { data } = (await tenant.post(`/v2/emails/${emailId}/preview`, body)).body;
      return [data.language, data.subject, data.preheader, data.html.includes('Hallo')];
    };
    expect(await preview({})).toEqual([undefined, 'Hello', 'Read on', false]);
    expect(await preview({ email: 'ada@x.io' })).toEqual(['de', 'Hallo Ada', 'Lies weiter', true]);
    expect(await preview({ email: 'bob@x.io' })).toEqual([undefined, 'Hello', 'Read on', false]);
    expect(await preview({ email: 'bob@x.io', language: 'de-CH' })).toEqual(['de', 'Hallo Bob', 'Lies weiter', true]);
    expect(await preview({ email: 'ada@x.io', language: 'en' })).toEqual([undefined, 'Hello', 'Read on', false]);
    expect(await preview({ language: 'pt-BR' })).toEqual(['pt-BR', 'Olá', 'Read on', false]);
    expect(await preview({ language: 'de', draft: { subject: 'Neu' } })).toEqual(['de', 'Neu', 'Lies weiter', true]);
    const saved = await tenant.get(`/v2/emails/${emailId}/preview?language=de`);
    expect(saved.body.data).toMatchObject({ language: 'de', preheader: 'Lies weiter' });
    expect((await tenant.get(`/v2/emails/${emailId}/preview?language=German`)).status).toBe(400);
    expect((await tenant.post(`/v2/emails/${emailId}/preview`, { language: '' })).status).toBe(400);
  });

  it('shows a version of the contact, with what it leaves out in its language', async () => {
    const { emailId } = await made({ de });
    const version = { assetId: emailId, email: 'ada@x.io', html: '<p>Nur für dich</p>{{unsubscribe_url}}' };
    expect((await tenant.post('/v2/email-versions', version)).status).toBe(200);
    const { data } = (await tenant.post(`/v2/emails/${emailId}/preview`, { email: 'ada@x.io' })).body;
    expect(data).toMatchObject({ chosen: 'version', language: 'de', subject: 'Hallo Ada', preheader: 'Lies weiter' });
    expect(data.html).toContain('Nur für dich');
  });
});
