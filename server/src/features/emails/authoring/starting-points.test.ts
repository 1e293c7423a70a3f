// The designs that people begin with, through HTTP, in a workspace that has nothing yet.
import { readdirSync } from 'node:fs';
import { startingPoints } from '@rapport/contract';
import { beforeAll, describe, expect, it } from 'vitest';
import { type TenantClient, useApp } from '../../../../test/app.js';
import { designBody } from '../../../../test/designed-emails.js';
import { rendered } from '../../../../test/designs/render.js';
import { tenantWithDomain } from '../../../../test/emails.js';

const t = useApp();
let tenant: TenantClient;
beforeAll(async () => {
  tenant = await tenantWithDomain(t);
});

describe('starting points', () => {
  it('are the ten that were promised, one for each file', () => {
    const files = readdirSync(new URL('../../../../../contract/src/starting-points/', import.meta.url));
    const ids = startingPoints.map(({ id }) => id);
    expect(ids).toHaveLength(10);
    expect(files.sort()).toEqual(ids.map((id) => `${id}.json`).sort());
    expect(new Set(startingPoints.map(({ name }) => name)).size).toBe(10);
  });

  it.each(startingPoints)('$id compiles without a problem or a warning', async ({ load }) => {
    const { status, body } = await tenant.post('/v2/emails/compile', { design: await load() });
    expect([status, body.data.problems]).toEqual([200, []]);
    expect(body.data.html).toContain('{{unsubscribe_url}}');
    expect(body.data.text).toContain('{{unsubscribe_url}}');
  });

  it.each(startingPoints)('$id is saved with its subject and preheader', async ({ load, subject, preheader, name }) => {
    const design = await load();
    const { status, body, text } = await tenant.post('/v2/emails', designBody(design, { name, subject, preheader }));
    expect(status, text).toBe(200);
    expect(body.data).toMatchObject({ name, subject, preheader, design });
  });

  it.each(startingPoints)('$id reads well for somebody about whom nothing is known', async (point) => {
    const { load, subject, preheader, data } = point;
    const design = await load();
    const saved = await tenant.post('/v2/emails', designBody(design, { subject, preheader }));
    const shown = await tenant.post(`/v2/emails/${saved.body.data.emailId}/preview`, {});
    const to = { email: 'new@example.org', properties: {} };
    const { html, text } = rendered(design, { to, ...(data && { words: { data } }) });
    expect([shown.status, html]).toEqual([200, expect.not.stringMatching(/\{\{|\{%/)]);
    // A gap where a name would be: two blanks, or one before a comma.
    for (const words of [shown.body.data.subject, shown.body.data.preheader, text])
      expect(words).not.toMatch(/\S {2,}\S|[ ][,.!?]|[{}]|undefined|null/);
  });
});
