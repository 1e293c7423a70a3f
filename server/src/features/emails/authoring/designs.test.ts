// Emails with a design, through HTTP: saving, ending and restoring designs.
import { beforeAll, describe, expect, it } from 'vitest';
import { type Reply, type TenantClient, useApp } from '../../../../test/app.js';
import {
  designBody,
  designOf,
  footer,
  makeDesigned,
  makeSaved,
  paragraph,
  savedRef,
} from '../../../../test/designed-emails.js';
import { emailBody, makeEmail, tenantWithDomain } from '../../../../test/emails.js';
import { sql } from '../../../db/sql.js';
import { compilerVersion } from '../../designs/index.js';

const t = useApp();
let tenant: TenantClient;
beforeAll(async () => {
  tenant = await tenantWithDomain(t);
});

const html = '<p>By hand {{unsubscribe_url}}</p>';
const told = ({ status, body }: Reply) => [status, body.errors[0]?.errorCode, body.errors[0]?.detail];
const read = async (id: string) => (await tenant.get(`/v2/emails/${id}`)).body.data;
const patch = (id: string, change: object) => tenant.patch(`/v2/emails/${id}`, change);
const compile = async (design: unknown) => (await tenant.post('/v2/emails/compile', { design })).body.data;

interface Columns {
  text: string | null;
  compiledBy: number | null;
}
const columnsOf = (id: string) =>
  t.db.row(sql<Columns>`
    select text_template as text, compiled_by as "compiledBy" from email
    where tenant_id = ${tenant.tenantId} and email_id = ${`\\x${id}`}`);

describe('POST /v2/emails with a design', () => {
  it('stores the design, and what compiling it answers', async () => {
    const design = designOf(paragraph('Hello'));
    const { status, body } = await tenant.post('/v2/emails', designBody(design));
    expect(status).toBe(200);
    const compiled = await compile(design);
    expect(body.data).toMatchObject({ design, html: compiled.html });
    expect(await read(body.data.id)).toEqual(body.data);
    expect(await columnsOf(body.data.id)).toEqual({ text: compiled.text, compiledBy: compilerVersion });
  });

  it('has null for an email in HTML, and no design in lists', async () => {
    const id = await makeEmail(tenant);
    expect((await read(id)).design).toBeNull();
    const [row] = (await tenant.get('/v2/emails')).body.data;
    expect(row).not.toHaveProperty('design');
    expect(await columnsOf(id)).toEqual({ text: null, compiledBy: null });
  });

  it('refuses html beside it, and an email with neither', async () => {
    const design = designOf(paragraph('x'));
    expect(told(await tenant.post('/v2/emails', designBody(design, { html })))).toEqual([
      400,
      'VALIDATION_ERROR',
      'html',
    ]);
    for (const body of [designBody(undefined), designBody(null), emailBody({ html: null })]) {
      const reply = await tenant.post('/v2/emails', body);
      expect(told(reply)).toEqual([400, 'VALIDATION_ERROR', 'html']);
      expect(reply.body.errors[0].message).toBe('html is required.');
    }
    const { errors } = (await tenant.post('/v2/emails', {})).body;
    expect(errors.map(({ detail }: { detail: string }) => detail)).toEqual(['name', 'html', 'subject', 'fromEmail']);
  });

  it.each([
    ['no object', 'x', 'design'],
    ['another version', { ...designOf(), version: 2 }, 'design.version'],
    ['no blocks', { version: 1, blocks: [] }, 'design.blocks'],
    ['an unknown key', { ...designOf(), look: {} }, 'design.look'],
    ['an unknown kind', designOf({ type: 'frame' }), 'design.blocks[0].type'],
    ['no unsubscribe link', { version: 1, blocks: [paragraph('x')] }, 'design'],
    [
      'an unknown variable',
      designOf({ ...paragraph('x'), content: [{ type: 'paragraph', spans: [{ variable: 'nobody_has_it' }] }] }),
      'design.blocks[0].content[0].spans[0]',
    ],
    [
      'a condition on events',
      designOf({ type: 'if', filter: { event: 'x' }, blocks: [footer] }),
      'design.blocks[0].filter',
    ],
    [
      'a condition on a list that is not there',
      designOf({ type: 'if', filter: { staticListId: '0'.repeat(24) }, blocks: [footer] }),
      'design.blocks[0].filter.staticListId',
    ],
    ['a saved block that is not there', designOf(savedRef('0'.repeat(24))), 'design.blocks[0]'],
    ['half a surrogate pair', designOf(paragraph('\ud800')), 'design.blocks[0].content[0].spans[0].text'],
  ])('refuses %s, each detail beginning with the place, as compiling tells it', async (_, design, place) => {
    const reply = await tenant.post('/v2/emails', designBody(design));
    expect(told(reply).slice(0, 2)).toEqual([400, 'VALIDATION_ERROR']);
    expect(reply.body.errors[0].detail.startsWith(place)).toBe(true);
    const { problems } = await compile(design);
    const errors = problems.filter(({ severity }: { severity: string }) => severity === 'error');
    const details = errors.map((problem: { place: string; message: string }) => `${problem.place}: ${problem.message}`);
    expect(reply.body.errors.map(({ detail }: { detail: string }) => detail)).toEqual(details);
  });

  it('checks subject and preheader as before', async () => {
    const reply = await tenant.post('/v2/emails', designBody(designOf(), { subject: '{{nobody_has_it}}' }));
    expect(told(reply)).toEqual([400, 'UnknownVariablesException', 'subject']);
    const broken = await tenant.post('/v2/emails', designBody(designOf(), { preheader: '{% if %}' }));
    expect(told(broken)).toEqual([400, 'VALIDATION_ERROR', 'preheader']);
  });
});

describe('PATCH /v2/emails/{id}', () => {
  it('replaces a design, and html with a design', async () => {
    const id = await makeEmail(tenant);
    const first = await patch(id, { design: designOf(paragraph('One')) });
    expect([first.status, first.body.data.html.includes('One')]).toEqual([200, true]);
    const second = await patch(id, { design: designOf(paragraph('Two')) });
    expect([second.body.data.html.includes('One'), second.body.data.html.includes('Two')]).toEqual([false, true]);
    expect(told(await patch(id, { design: designOf(), html }))).toEqual([400, 'VALIDATION_ERROR', 'html']);
  });

  it('with html alone ends the design, which stays in the history', async () => {
    const design = designOf(paragraph('Was here'));
    const id = await makeDesigned(tenant, paragraph('Was here'));
    const { data } = (await patch(id, { html })).body;
    expect([data.html, data.design]).toEqual([html, null]);
    expect(await columnsOf(id)).toEqual({ text: null, compiledBy: null });
    const [newest] = (await tenant.get(`/v2/emails/${id}/history`)).body.data;
    expect(newest.changed).toEqual(['html', 'design']);
    expect((await tenant.get(`/v2/emails/${id}/history/1`)).body.data.design).toEqual(design);
    expect((await tenant.get(`/v2/emails/${id}/history/2`)).body.data.design).toBeNull();
  });

  it('with a null design ends it too: the html stays, or is the one that is given', async () => {
    const [kept, given] = [await makeDesigned(tenant, paragraph('a')), await makeDesigned(tenant, paragraph('b'))];
    const before = (await read(kept)).html;
    const { data } = (await patch(kept, { design: null })).body;
    expect([data.html, data.design]).toEqual([before, null]);
    const other = (await patch(given, { design: null, html })).body.data;
    expect([other.html, other.design]).toEqual([html, null]);
    expect(await columnsOf(kept)).toEqual({ text: null, compiledBy: null });
  });

  it.each([false, 0, ''])('refuses %j as a design, of a language too', async (design) => {
    const id = await makeDesigned(tenant, paragraph('Stays'));
    expect(told(await patch(id, { design }))).toEqual([400, 'VALIDATION_ERROR', 'design: an object is wanted']);
    const inGerman = await patch(id, { languages: { de: { design } } });
    expect(told(inGerman)).toEqual([400, 'VALIDATION_ERROR', 'languages.de.design: an object is wanted']);
  });

  it('of other fields leaves the design as it is, and the same design is no save', async () => {
    const id = await makeDesigned(tenant, paragraph('Stays'));
    const before = await read(id);
    const reply = await patch(id, { subject: 'Another' });
    expect(reply.body.data).toMatchObject({ html: before.html, design: before.design, subject: 'Another' });
    expect((await patch(id, { design: before.design })).headers.etag).toBe('"2"');
  });

  it('compiles anew what an older compiler made, and nothing else does', async () => {
    const id = await makeDesigned(tenant, paragraph('Fresh'));
    const fresh = await read(id);
    await t.db.run(sql`
      update email set html = 'stale {{unsubscribe_url}}', compiled_by = 0
      where tenant_id = ${tenant.tenantId} and email_id = ${`\\x${id}`}`);
    expect((await read(id)).html).toBe('stale {{unsubscribe_url}}');
    const preview = await tenant.post(`/v2/emails/${id}/preview`, {});
    expect(preview.body.data.html).toMatch(/^stale /);
    expect((await patch(id, { subject: 'Saved again' })).body.data.html).toBe(fresh.html);
    expect((await columnsOf(id))?.compiledBy).toBe(compilerVersion);
  });
});

describe('POST /v2/emails/{id}/restore', () => {
  it('brings a design back, and html that ended one', async () => {
    const id = await makeDesigned(tenant, paragraph('Design'));
    const designed = await read(id);
    await patch(id, { html });
    const back = await tenant.post(`/v2/emails/${id}/restore`, { revision: 1 });
    expect(back.body.data).toMatchObject({ html: designed.html, design: designed.design });
    expect((await columnsOf(id))?.compiledBy).toBe(compilerVersion);
    const again = await tenant.post(`/v2/emails/${id}/restore`, { revision: 2 });
    expect(again.body.data).toMatchObject({ html, design: null });
  });

  it('compiles with the saved blocks of today, and refuses a design whose block is gone', async () => {
    const blockId = await makeSaved(tenant, paragraph('Then'));
    const id = await makeDesigned(tenant, savedRef(blockId));
    await patch(id, { html });
    await tenant.patch(`/v2/blocks/${blockId}`, { blocks: [paragraph('Now')] });
    const { data } = (await tenant.post(`/v2/emails/${id}/restore`, { revision: 1 })).body;
    expect([data.html.includes('Now'), data.html.includes('Then')]).toEqual([true, false]);
    await patch(id, { html });
    expect((await tenant.delete(`/v2/blocks/${blockId}`)).status).toBe(200);
    const reply = await tenant.post(`/v2/emails/${id}/restore`, { revision: 1 });
    expect([reply.status, reply.body.errors[0].detail.startsWith('design.blocks[0]')]).toEqual([400, true]);
  });
});

describe('POST /v2/emails/compile', () => {
  it('needs READ alone, and stores nothing', async () => {
    const reads = await t.admin.post(`/admin/tenants/${tenant.tenantId}/tokens`, { name: 'r', scopes: ['READ'] });
    const writes = await t.admin.post(`/admin/tenants/${tenant.tenantId}/tokens`, { name: 'w', scopes: ['WRITE'] });
    const before = (await tenant.get('/v2/emails')).body.pagination.totalElements;
    const send = ({ body }: Reply) =>
      t.withToken(body.data.token).post('/v2/emails/compile', { design: designOf(paragraph('x')) });
    expect((await send(writes)).status).toBe(403);
    const { status, body } = await send(reads);
    expect([status, Object.keys(body.data)]).toEqual([200, ['html', 'text', 'size', 'problems']]);
    expect(body.data.size).toBe(Buffer.byteLength(body.data.html));
    expect((await tenant.get('/v2/emails')).body.pagination.totalElements).toBe(before);
  });

  it('wants a design, and is not an email', async () => {
    expect(told(await tenant.post('/v2/emails/compile', {}))).toEqual([400, 'VALIDATION_ERROR', 'design']);
    expect((await tenant.get('/v2/emails/compile')).status).toBe(405);
  });

  it('tells every fault at once, whatever the others are', async () => {
    const href = 'javascript:x';
    const half = (...blocks: object[]) => ({ width: 50, blocks });
    const { html, problems } = await compile({
      version: 1,
      look: {},
      blocks: [
        { type: 'frame' },
        { type: 'heading', level: 9, content: [] },
        { type: 'button', label: 'x', href, colour: 'red', align: 'middle' },
        { type: 'if', filter: { event: 'x' }, blocks: [], else: [savedRef('0'.repeat(24))] },
        { type: 'columns', columns: [half({ type: 'button', label: 'x', href }), half({ type: 'each', blocks: [] })] },
      ],
    });
    expect(html).toBe('');
    expect(problems.map(({ severity, place }: Record<string, string>) => `${severity} ${place}`)).toEqual([
      'error design.look',
      'error design.blocks[0].type',
      'error design.blocks[1].level',
      'error design.blocks[2].colour',
      'error design.blocks[2].align',
      'error design.blocks[3].filter.event',
      'error design.blocks[4].columns[1].blocks[0].of',
      'error design.blocks[3].else[0].blockId',
      'error design.blocks[2].href',
      'error design.blocks[4].columns[0].blocks[0].href',
      'error design.blocks',
    ]);
  });

  it('does not miss the unsubscribe link where the footer itself is at fault', async () => {
    const { problems } = await compile({ version: 1, blocks: [{ type: 'footer' }] });
    expect(problems).toEqual([{ place: 'design.blocks[0].address', severity: 'error', message: 'is required' }]);
  });

  it.each([
    ['takes too long to render', ['{% for i in (1..1000000000) %}x{% endfor %}']],
    ['has more variables in all than are read', Array(2).fill('{{ email }}'.repeat(6000))],
    ['asks about a list that is not there', [`{% audience {"staticListId":"${'0'.repeat(24)}"} %}{% endaudience %}`]],
  ])('tells what %s, as saving does', async (_what, parts) => {
    const design = designOf(...parts.map((part) => ({ type: 'html', html: part })));
    const errors = (await compile(design)).problems.filter(
      ({ severity }: { severity: string }) => severity === 'error',
    );
    expect(errors).toEqual([{ severity: 'error', place: 'design', message: expect.any(String) }]);
    expect(told(await tenant.post('/v2/emails', designBody(design)))).toEqual([400, 'VALIDATION_ERROR', 'design']);
  });

  it('repeats its answer for a repeated Idempotency-Key, and refuses the key with another design', async () => {
    const send = (design: unknown) => tenant.post('/v2/emails/compile', { design }, { 'idempotency-key': 'compile' });
    const first = await send(designOf(paragraph('x')));
    const again = await send(designOf(paragraph('x')));
    expect([again.headers['idempotency-replayed'], again.body.data]).toEqual(['true', first.body.data]);
    expect(told(await send(designOf(paragraph('y'))))).toEqual([409, 'IDEMPOTENCY_KEY_REUSED', undefined]);
  });
});
