// Emails made of blocks, written and read by an agent.
import { beforeAll, expect, it } from 'vitest';
import { call, connectAgent } from '../../../test/agents.js';
import { type TenantClient, useApp } from '../../../test/app.js';
import { designBody, designOf, paragraph } from '../../../test/designed-emails.js';
import { tenantWithDomain } from '../../../test/emails.js';

const t = useApp();
let tenant: TenantClient;
beforeAll(async () => {
  tenant = await tenantWithDomain(t);
});

it('writes an email as a design, checks it first, and reads it back as one', async () => {
  const client = await connectAgent(t, tenant.token);
  const design = designOf(paragraph('Hello'));
  const checked = await call(client, 'save_email', designBody(design, { dryRun: true }));
  expect(checked.data).toMatchObject({ saved: false, emailId: null, faults: [] });
  const saved = await call(client, 'save_email', designBody(design));
  expect(saved).toMatchObject({ isError: false, data: { saved: true } });
  const read = await call(client, 'get_email', { emailId: saved.data.emailId });
  expect(read.data.email).toMatchObject({ design });
  expect(read.data.email).not.toHaveProperty('html');
  const html = await call(client, 'save_email', { emailId: saved.data.emailId, design: null });
  expect(html).toMatchObject({ isError: false, data: { saved: true } });
  expect((await call(client, 'get_email', { emailId: saved.data.emailId })).data.email.html).toContain('Hello');
  await client.close();
});

it('reads and previews translations, each by its language', async () => {
  const client = await connectAgent(t, tenant.token);
  const languages = { de: { subject: 'Hallo', design: designOf(paragraph('Guten Tag')) }, fr: { subject: 'Bonjour' } };
  const body = designBody(designOf(paragraph('Good day')), { subject: 'Hello', languages });
  const { emailId } = (await tenant.post('/v2/emails', body)).body.data;
  const read = async (language?: string) =>
    (await call(client, 'get_email', { emailId, ...(language ? { language } : {}) })).data.email;
  const own = await read();
  expect(own).toMatchObject({ subject: 'Hello', design: body.design });
  // What they say is not repeated: fifty of them would not fit.
  expect(own.languages).toEqual({
    de: { subject: 'Hallo', preheader: null, missing: expect.any(Array) },
    fr: { subject: 'Bonjour', preheader: null, missing: expect.arrayContaining(['design']) },
  });
  expect(await read('de')).toMatchObject({ language: 'de', subject: 'Hallo', design: languages.de.design });
  expect(await read('fr')).toMatchObject({ language: 'fr', subject: 'Bonjour', design: body.design });
  const unknown = await call(client, 'get_email', { emailId, language: 'it' });
  expect([unknown.isError, unknown.text]).toEqual([true, expect.stringMatching(/Nearest: (de, fr|fr, de)/)]);
  const preview = async (language?: string) =>
    (await call(client, 'preview_email', { emailId, ...(language ? { language } : {}) })).data;
  expect(await preview()).toMatchObject({
    language: null,
    subject: 'Hello',
    text: expect.stringContaining('Good day'),
  });
  expect(await preview('de-AT')).toMatchObject({
    ...{ language: 'de', subject: 'Hallo', text: expect.stringContaining('Guten Tag') },
  });
  await client.close();
});

it('hears what is wrong with a design and where, in the words of the API', async () => {
  const client = await connectAgent(t, tenant.token);
  const bad = { version: 1, blocks: [{ type: 'text', content: [], size: 99 }] };
  const checked = await call(client, 'save_email', designBody(bad, { dryRun: true }));
  expect(checked.data.faults.map(({ path }: { path: string }) => path)).toContain('design.blocks[0].size');
  const refused = await call(client, 'save_email', designBody(bad));
  expect(refused.isError).toBe(true);
  expect(refused.text).toContain('design.blocks[0].size');
  await client.close();
});
