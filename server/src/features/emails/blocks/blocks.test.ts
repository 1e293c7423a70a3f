// Saved blocks through HTTP: what they are, and how a change reaches the emails that use them.
import { beforeAll, describe, expect, it } from 'vitest';
import { type Reply, type TenantClient, useApp } from '../../../../test/app.js';
import { auditOf } from '../../../../test/audit.js';
import {
  designBody,
  designOf,
  footer,
  makeDesigned,
  makeSaved,
  paragraph,
  savedRef,
} from '../../../../test/designed-emails.js';
import { tenantWithDomain } from '../../../../test/emails.js';
import { png } from '../../../../test/pictures.js';

const t = useApp();
let tenant: TenantClient;
beforeAll(async () => {
  tenant = await tenantWithDomain(t);
});

const told = ({ status, body }: Reply) => [status, body.errors[0]?.errorCode];
const block = async (id: string) => (await tenant.get(`/v2/blocks/${id}`)).body.data;
const email = async (id: string) => tenant.get(`/v2/emails/${id}`);
const patch = (id: string, change: object) => tenant.patch(`/v2/blocks/${id}`, change);

describe('/v2/blocks', () => {
  it('creates, reads, lists, renames and deletes saved blocks', async () => {
    const own = await t.tenant();
    const blocks = [paragraph('Hello'), { type: 'divider' }];
    const made = await own.post('/v2/blocks', { name: ' Greeting ', blocks });
    const { blockId } = made.body.data;
    const shown = {
      blockId,
      name: 'Greeting',
      blocks,
      usedBy: 0,
      createdAt: expect.any(String),
      updatedAt: expect.any(String),
    };
    expect([made.status, made.body.data]).toEqual([200, shown]);
    expect((await own.get(`/v2/blocks/${blockId}`)).body.data).toEqual(shown);
    const list = await own.get('/v2/blocks');
    expect([list.body.data, list.body.pagination.totalElements]).toEqual([[shown], 1]);
    const renamed = await own.patch(`/v2/blocks/${blockId}`, { name: 'Hi' });
    expect(renamed.body.data).toEqual({ ...shown, name: 'Hi' });
    expect((await own.delete(`/v2/blocks/${blockId}`)).body.data).toEqual({ blockId, success: true });
    for (const reply of [await own.get(`/v2/blocks/${blockId}`), await own.delete(`/v2/blocks/${blockId}`)])
      expect(told(reply)).toEqual([404, 'NOT_FOUND']);
    const actions = (await auditOf(t, own.tenantId, 'saved-block.')).map(({ action }) => action);
    expect(actions).toEqual(['saved-block.created', 'saved-block.changed', 'saved-block.deleted']);
  });

  it('answers a repeated Idempotency-Key with the first block', async () => {
    const send = () => tenant.post('/v2/blocks', { name: 'Once', blocks: [footer] }, { 'idempotency-key': 'block' });
    const [first, again] = [await send(), await send()];
    expect([again.headers['idempotency-replayed'], again.body.data]).toEqual(['true', first.body.data]);
  });

  it.each([
    ['no name', { blocks: [footer] }, 'name'],
    ['no blocks', { name: 'x' }, 'blocks'],
    ['an empty list', { name: 'x', blocks: [] }, 'blocks'],
    ['what is no list', { name: 'x', blocks: 'x' }, 'blocks'],
    ['an unknown kind', { name: 'x', blocks: [footer, { type: 'frame' }] }, 'blocks[1].type'],
    ['an unknown key', { name: 'x', blocks: [{ ...footer, colour: 'red' }] }, 'blocks[0].colour'],
    [
      'a link of a script',
      { name: 'x', blocks: [{ type: 'button', label: 'x', href: 'javascript:x' }] },
      'blocks[0].href',
    ],
    ['a saved block that is not there', { name: 'x', blocks: [savedRef('0'.repeat(24))] }, 'blocks[0]'],
    ['201 blocks', { name: 'x', blocks: Array(201).fill(footer) }, 'blocks'],
    ['text that cannot be stored', { name: 'x', blocks: [paragraph('\0')] }, 'blocks[0].content[0].spans[0].text'],
  ])('refuses %s, with the place', async (_, body, place) => {
    const reply = await tenant.post('/v2/blocks', body);
    expect(told(reply)).toEqual([400, 'VALIDATION_ERROR']);
    expect(reply.body.errors[0].detail.startsWith(place)).toBe(true);
  });
});

describe('a saved block', () => {
  it('may be as large as a design: 200 blocks, and 256 KiB as compact JSON', async () => {
    const post = (blocks: object[]) => tenant.post('/v2/blocks', { name: 'Large', blocks });
    const many = await post(Array(200).fill({ type: 'divider' }));
    expect(many.status, many.text).toBe(200);
    const empty = JSON.stringify([paragraph('')]).length;
    const full = await post([paragraph('x'.repeat(256 * 1024 - empty))]);
    expect(full.status, full.text).toBe(200);
    const over = await post([paragraph('x'.repeat(256 * 1024 - empty + 1))]);
    expect([over.status, over.body.errors[0].detail.startsWith('blocks: ')]).toEqual([400, true]);
  });

  it('may show the elements of an `each` that it is used in, and is refused elsewhere', async () => {
    const id = await makeSaved(tenant, {
      type: 'text',
      content: [{ type: 'paragraph', spans: [{ variable: 'item.name' }] }],
    });
    const each = { type: 'each', of: 'data.lines', blocks: [savedRef(id)] };
    const inside = await tenant.post('/v2/emails', designBody(designOf(each)));
    expect(inside.status, inside.text).toBe(200);
    const outside = await tenant.post('/v2/emails', designBody(designOf(savedRef(id))));
    expect([outside.status, outside.body.errors[0].detail]).toEqual([
      400,
      expect.stringMatching(/^design\.blocks\[0\]: \{\{item\.name\}\} is unknown/),
    ]);
  });
});

describe('a change of a saved block', () => {
  it('shows at once in every live email that uses it, as a new revision, and says how many', async () => {
    const id = await makeSaved(tenant, paragraph('Before'));
    const outer = await makeSaved(tenant, savedRef(id), savedRef(id));
    const direct = await makeDesigned(tenant, savedRef(id));
    const through = await makeDesigned(tenant, savedRef(outer));
    const both = await makeDesigned(tenant, savedRef(outer), savedRef(id));
    const other = await makeDesigned(tenant, paragraph('Alone'));
    const gone = await makeDesigned(tenant, savedRef(id));
    await tenant.delete(`/v2/emails/${gone}`);
    expect([(await block(id)).usedBy, (await block(outer)).usedBy]).toEqual([3, 2]);
    const reply = await patch(id, { blocks: [paragraph('After')] });
    expect([reply.status, reply.body.data.usedBy]).toEqual([200, 3]);
    for (const emailId of [direct, through, both]) {
      const { body, headers } = await email(emailId);
      expect(headers.etag).toBe('"2"');
      expect([body.data.html.includes('After'), body.data.html.includes('Before')]).toEqual([true, false]);
      const [newest] = (await tenant.get(`/v2/emails/${emailId}/history`)).body.data;
      expect(newest).toMatchObject({ revision: 2, changed: ['html'] });
    }
    expect((await email(other)).headers.etag).toBe('"1"');
  });

  it('that changes nothing makes no revision', async () => {
    const id = await makeSaved(tenant, paragraph('Same'));
    const emailId = await makeDesigned(tenant, savedRef(id));
    for (const change of [{ blocks: [paragraph('Same')] }, { name: 'Another name' }])
      expect((await patch(id, change)).body.data.usedBy).toBe(1);
    expect((await email(emailId)).headers.etag).toBe('"1"');
  });

  it('that would break one of the emails is a 400, and nothing changes', async () => {
    const id = await makeSaved(tenant, footer);
    const { body } = await tenant.post(
      '/v2/emails',
      designBody({ version: 1, blocks: [savedRef(id)] }, { name: 'Bare' }),
    );
    const reply = await patch(id, { blocks: [paragraph('No way out')] });
    expect(told(reply)).toEqual([400, 'VALIDATION_ERROR']);
    expect(reply.body.errors[0].detail).toMatch(/^blocks: this would break the email "Bare": .*unsubscribe/);
    expect((await block(id)).blocks).toEqual([footer]);
    expect((await email(body.data.emailId)).headers.etag).toBe('"1"');
  });

  it('that puts the block into itself, at once or through others, is a 400', async () => {
    const inner = await makeSaved(tenant, paragraph('Inner'));
    const outer = await makeSaved(tenant, savedRef(inner));
    for (const [id, blocks] of [
      [inner, [savedRef(inner)]],
      [inner, [savedRef(outer)]],
    ] as const) {
      const reply = await patch(id, { blocks });
      expect(told(reply)).toEqual([400, 'VALIDATION_ERROR']);
      expect(reply.body.errors[0].detail).toMatch(/^blocks\[0\]/);
    }
  });

  it('that no block could have is told before that there is no such block', async () => {
    const nowhere = '0'.repeat(24);
    expect(told(await patch(nowhere, { blocks: [{ type: 'frame' }] }))).toEqual([400, 'VALIDATION_ERROR']);
    expect(told(await patch('nowhere', { blocks: [savedRef(nowhere)] }))).toEqual([400, 'VALIDATION_ERROR']);
    for (const change of [{ blocks: [footer] }, { name: 'x' }])
      expect(told(await patch(nowhere, change))).toEqual([404, 'NOT_FOUND']);
  });

  it('never makes a circle, whatever happens at the same time', async () => {
    for (let race = 0; race < 8; race++) {
      const ids = await Promise.all(['a', 'b', 'c'].map((text) => makeSaved(tenant, paragraph(text))));
      const replies = await Promise.all(
        ids.map((id, i) => patch(id, { blocks: [savedRef(ids[(i + 1) % 3] as string)] })),
      );
      expect(replies.map(({ status }) => status).sort()).toEqual([200, 200, 400]);
    }
  });

  it('and one of the email at the same time both take effect', async () => {
    for (let race = 0; race < 8; race++) {
      const [one, two] = [await makeSaved(tenant, paragraph('1a')), await makeSaved(tenant, paragraph('2a'))];
      const emailId = await makeDesigned(tenant, savedRef(one), savedRef(two), paragraph('3a'));
      const design = designOf(savedRef(one), savedRef(two), paragraph('3b'));
      const replies = await Promise.all([
        patch(one, { blocks: [paragraph('1b')] }),
        patch(two, { blocks: [paragraph('2b')] }),
        tenant.patch(`/v2/emails/${emailId}`, { design }),
      ]);
      expect(replies.map(({ status }) => status)).toEqual([200, 200, 200]);
      const { html } = (await email(emailId)).body.data;
      expect(['1b', '2b', '3b'].filter((text) => !html.includes(text))).toEqual([]);
    }
  });
});

describe('deleting a saved block', () => {
  it('is refused while a live email or another saved block uses it', async () => {
    const id = await makeSaved(tenant, paragraph('x'));
    const outer = await makeSaved(tenant, savedRef(id));
    expect(told(await tenant.delete(`/v2/blocks/${id}`))).toEqual([409, 'INVALID_STATE']);
    await tenant.delete(`/v2/blocks/${outer}`);
    const emailId = await makeDesigned(tenant, savedRef(id));
    expect(told(await tenant.delete(`/v2/blocks/${id}`))).toEqual([409, 'INVALID_STATE']);
    await tenant.patch(`/v2/emails/${emailId}`, { design: designOf(paragraph('y')) });
    expect((await tenant.delete(`/v2/blocks/${id}`)).status).toBe(200);
  });

  it('and an email that is saved with it at that moment never both succeed', async () => {
    for (let race = 0; race < 12; race++) {
      const id = await makeSaved(tenant, paragraph('x'));
      const [saved, deleted] = await Promise.all([
        tenant.post('/v2/emails', designBody(designOf(savedRef(id)))),
        tenant.delete(`/v2/blocks/${id}`),
      ]);
      expect([`${saved.status} ${deleted.status}`]).toEqual([expect.stringMatching(/^(200 409|400 200)$/)]);
      if (saved.status === 400) expect(saved.body.errors[0].detail).toMatch(/^design\.blocks\[0\]/);
    }
  });
});

describe('a file that a saved block or a design shows', () => {
  const upload = async (width: number) =>
    (await tenant.post('/v2/files', png(width, 77), { 'content-type': 'image/png' })).body.data;
  const image = (src: string) => ({ type: 'image', src, alt: '' });

  it('cannot be deleted, until neither does', async () => {
    const { fileId, url } = await upload(1);
    const id = await makeSaved(tenant, image(url));
    expect(told(await tenant.delete(`/v2/files/${fileId}`))).toEqual([409, 'INVALID_STATE']);
    const emailId = await makeDesigned(tenant, savedRef(id));
    await tenant.patch(`/v2/emails/${emailId}`, { design: designOf(image(url)) });
    await tenant.delete(`/v2/blocks/${id}`);
    expect(told(await tenant.delete(`/v2/files/${fileId}`))).toEqual([409, 'INVALID_STATE']);
    await tenant.patch(`/v2/emails/${emailId}`, { design: designOf(paragraph('none')) });
    expect((await tenant.delete(`/v2/files/${fileId}`)).status).toBe(200);
  });

  it('is gone for a design once it is deleted, and that of another tenant always is', async () => {
    const other = await tenantWithDomain(t);
    const { fileId, url } = await upload(2);
    await tenant.delete(`/v2/files/${fileId}`);
    const theirs = (await other.post('/v2/files', png(3, 77), { 'content-type': 'image/png' })).body.data.url;
    for (const src of [url, theirs]) {
      const reply = await tenant.post('/v2/emails', designBody(designOf(image(src))));
      expect(told(reply)).toEqual([400, 'VALIDATION_ERROR']);
      expect(reply.body.errors[0].detail).toMatch(/^design\.blocks\[0\]\.src/);
    }
  });

  it('and is deleted while a design with it is saved: one of the two is refused', async () => {
    for (let race = 0; race < 12; race++) {
      const { fileId, url } = await upload(10 + race);
      const [saved, deleted] = await Promise.all([
        tenant.post('/v2/emails', designBody(designOf(image(url)))),
        tenant.delete(`/v2/files/${fileId}`),
      ]);
      expect([`${saved.status} ${deleted.status}`]).toEqual([expect.stringMatching(/^(200 409|400 200)$/)]);
    }
  });
});
