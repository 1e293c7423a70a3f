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
