import { beforeAll, describe, expect, it } from 'vitest';
import { type Reply, type TenantClient, useApp } from '../../../test/app.js';
import { emailBody, makeEmail, tenantWithDomain } from '../../../test/emails.js';

const t = useApp({ work: true });
let tenant: TenantClient;
beforeAll(async () => {
  const properties = { first_name: 'Ada', plan: 'pro' };
  tenant = await tenantWithDomain(t, [{ email: 'ada@example.com', properties }]);
});

const code = (reply: Reply) => reply.body.errors[0]?.errorCode;
const message = (reply: Reply) => reply.body.errors[0]?.message;

describe('POST /emails', () => {
  it.each(['/v1', '/v2'])('creates an HTML email and returns its record, under %s', async (version) => {
    const body = emailBody({ preheader: 'Read on' });
    const { status, body: answer, headers } = await tenant.post(`${version}/emails`, body);
    expect(status).toBe(200);
    const { id } = answer.data;
    expect(id).toMatch(/^[0-9a-f]{24}$/);
    expect(answer.data).toEqual({
      id,
      emailId: id,
      name: body.name,
      subject: 'Hello',
      preheader: 'Read on',
      html: body.html,
      design: null,
      fromEmail: { email: 'hello@example.com', name: 'Rapport' },
      replyTo: 'hello@example.com',
      editorUrl: `http://rapport.test/console/emails/${id}`,
      createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      createdBy: expect.any(Number),
      updatedAt: answer.data.createdAt,
      updatedBy: answer.data.createdBy,
      topicId: null,
      directoryId: null,
    });
    expect(Number.isInteger(answer.data.createdBy)).toBe(true);
    expect(headers.etag).toBe('"1"');
    expect((await tenant.get(`/v1/emails/${id}`)).body.data).toEqual(answer.data);
    expect((await tenant.get(`/v2/emails/${id}`)).body.data).toEqual(answer.data);
  });

  it('needs name, html, subject and the sender’s address, and names everything that is missing', async () => {
    const { status, body } = await tenant.post('/v1/emails', {});
    expect(status).toBe(400);
    expect(body.errors.map((error: { detail: string }) => error.detail).sort()).toEqual(
      ['fromEmail', 'html', 'name', 'subject'].sort(),
    );
    for (const missing of ['name', 'html', 'subject', 'fromEmail'])
      for (const value of [null, '', '  ', 5]) {
        const reply = await tenant.post('/v1/emails', emailBody({ [missing]: value }));
        expect([reply.status, code(reply)]).toEqual([400, 'VALIDATION_ERROR']);
        expect(reply.body.errors[0].detail).toBe(missing);
      }
    const noAddress = await tenant.post('/v1/emails', emailBody({ fromEmail: { name: 'Rapport' } }));
    expect(noAddress.body.errors[0].detail).toBe('fromEmail.email');
  });

  it('keeps a reply-to address, and treats null as absent', async () => {
    const given = await tenant.post('/v1/emails', emailBody({ replyTo: ' Help@Example.org ', preheader: null }));
    expect(given.body.data).toMatchObject({ replyTo: 'help@example.org', preheader: null });
    const sender = { email: 'HELLO@EXAMPLE.COM', name: null };
    const absent = await tenant.post('/v1/emails', emailBody({ replyTo: null, folderId: null, fromEmail: sender }));
    expect(absent.body.data).toMatchObject({
      replyTo: 'hello@example.com',
      fromEmail: { email: 'hello@example.com', name: null },
      directoryId: null,
    });
    expect((await tenant.post('/v1/emails', emailBody({ replyTo: 'nobody' }))).status).toBe(400);
  });

  it('files it in a folder, and names a missing folder', async () => {
    const folder = await tenant.post('/v2/folders', { name: 'Campaigns' });
    const folderId = folder.body.data.directoryId;
    const filed = await tenant.post('/v1/emails', emailBody({ folderId }));
    expect(filed.body.data.directoryId).toBe(folderId);
    for (const unknown of ['f'.repeat(24), 'nope', '']) {
      const reply = await tenant.post('/v1/emails', emailBody({ folderId: unknown }));
      expect([reply.status, code(reply), reply.body.errors[0].detail]).toEqual([400, 'VALIDATION_ERROR', 'folderId']);
    }
    await tenant.delete(`/v2/folders/${folderId}`);
    expect((await tenant.get(`/v1/emails/${filed.body.data.id}`)).body.data.directoryId).toBeNull();
  });

  it('refuses a domain that is not approved, compared as a whole and without regard to case', async () => {
    for (const email of ['a@sub.example.com', 'a@example.co', 'a@xexample.com', 'a@example.org']) {
      const reply = await tenant.post('/v1/emails', emailBody({ fromEmail: { email } }));
      expect([reply.status, code(reply)]).toEqual([400, 'UnapprovedEmailDomainException']);
      expect(message(reply)).toContain(email.split('@')[1]);
    }
    expect((await tenant.post('/v1/emails', emailBody({ fromEmail: { email: 'a@Example.COM' } }))).status).toBe(200);
  });

  it('refuses unknown variables and lists each with its line', async () => {
    const html =
      '<p>{{ first_name }}</p>\n<p>{{frist_name}}</p>\n\n{% if company.size > 3 %}{{ nope | upcase }}{% endif %}';
    const reply = await tenant.post('/v1/emails', emailBody({ html, subject: '{{who}}', preheader: '{{ why }}' }));
    expect([reply.status, code(reply)]).toEqual([400, 'UnknownVariablesException']);
    for (const token of [
      '{{frist_name}} (html, line 2)',
      '{{company.size}} (html, line 4)',
      '{{nope}} (html, line 4)',
      '{{who}} (subject, line 1)',
      '{{why}} (preheader, line 1)',
    ])
      expect(message(reply)).toContain(token);
    expect(message(reply)).not.toContain('first_name');
  });

  it('treats tokens of other template languages as unknown variables, and says where they are', async () => {
    const html =
      '<p>{{ column("email") }}</p>\n<p>{{}} {{ }}</p>\n{{{x}}} {{{ first_name }}}\n{{ email("x") }}{{nope}}';
    const reply = await tenant.post('/v1/emails', emailBody({ html, subject: '{{{who}}}', preheader: '{{}}' }));
    expect([reply.status, code(reply)]).toEqual([400, 'UnknownVariablesException']);
    for (const token of [
      '{{column("email")}} (html, line 1)',
      '{{}} (html, line 2), {{}} (html, line 2)',
      '{{{x}}} (html, line 3)',
      '{{{ first_name }}} (html, line 3)',
      '{{email("x")}} (html, line 4)',
      '{{nope}} (html, line 4)',
      '{{{who}}} (subject, line 1)',
      '{{}} (preheader, line 1)',
    ])
      expect(message(reply)).toContain(token);
    const other = '{% raw %}{{}} {{{x}}}{% endraw %}{% comment %}{{}}{% endcomment %}';
    expect((await tenant.post('/v1/emails', emailBody({ html: other }))).status).toBe(200);
    for (const broken of [`${other}{% if %}`, '{{}}{% if %}', '{{ first_name | nope }}', '{{ | upcase }}', '{{'])
      expect(code(await tenant.post('/v1/emails', emailBody({ html: broken })))).toBe('VALIDATION_ERROR');
    const id = await makeEmail(tenant);
    const { body } = await tenant.post(`/v2/emails/${id}/preview`, { draft: { html, subject: 's' } });
    expect(body.data.html).toBe('');
    expect(body.data.problems[1]).toMatchObject({ field: 'html', line: 2, column: 4 });
  });

  it('knows the platform’s variables, and a property once its write is done', async () => {
    const html = '{{email}} {{ unsubscribe_url }} {{view_url}} {{ nickname | default: "there" }}';
    expect(code(await tenant.post('/v1/emails', emailBody({ html })))).toBe('UnknownVariablesException');
    const write = { contacts: [{ email: 'new@example.com', properties: { nickname: 'Al' } }] };
    await tenant.done(await tenant.post('/v2/contacts/batch', write));
    expect((await tenant.post('/v1/emails', emailBody({ html }))).status).toBe(200);
    const other = await tenantWithDomain(t);
    expect(code(await other.post('/v1/emails', emailBody({ html })))).toBe('UnknownVariablesException');
  });

  it('knows first_name before any contact has it', async () => {
    const own = await tenantWithDomain(t, []);
    const html = 'Hi {{first_name | default: "there"}}';
    const id = await makeEmail(own, { html, subject: '{{ first_name }}' });
    expect((await own.post(`/v2/emails/${id}/preview`, {})).body.data.html).toBe('Hi there');
  });

  it('treats variables that a template assigns as known', async () => {
    const html =
      '{% assign a = plan %}{{a}}{% capture b %}x{% endcapture %}{{b}}{% for c in (1..3) %}{{c}}{{forloop.index}}{% endfor %}';
    expect((await tenant.post('/v1/emails', emailBody({ html }))).status).toBe(200);
    expect(message(await tenant.post('/v1/emails', emailBody({ html: `${html}\n{{c}}` })))).toContain(
      '{{c}} (html, line 2)',
    );
  });

  it.each([
    ['html', '<p>\n{{ first_name </p>', 'line 2'],
    ['html', '\n\n{% if plan %}', 'line 3'],
    ['html', '{{ plan | nonsense }}', 'nonsense'],
    ['html', '{% include "etc/passwd" %}', 'include'],
    ['html', '{% render "x" %}', 'render'],
    ['html', '{% layout "x" %}', 'layout'],
    ['html', '{{ {{plan}} }}', 'line 1'],
    ['subject', '{{ plan', 'line 1'],
    ['preheader', '{% nope %}', 'nope'],
  ])('refuses a broken template in %s: %s', async (field, text, told) => {
    const reply = await tenant.post('/v1/emails', emailBody({ [field]: text }));
    expect([reply.status, code(reply), reply.body.errors[0].detail]).toEqual([400, 'VALIDATION_ERROR', field]);
    expect(message(reply)).toContain(told);
  });

  it.each(['Hello\r\nBcc: all@example.com', 'a\nb', 'a\u0000b', 'a\u0007b', '\ud800'])(
    'refuses control characters in subject and names: %j',
    async (text) => {
      for (const change of [{ subject: text }, { name: text }, { fromEmail: { email: 'a@example.com', name: text } }]) {
        const reply = await tenant.post('/v1/emails', emailBody(change));
        expect([reply.status, code(reply)]).toEqual([400, 'VALIDATION_ERROR']);
      }
    },
  );

  it('accepts 2 MiB of html in UTF-8 and not a byte more', async () => {
    const edge = 2 * 1024 * 1024;
    const exact = `${'ü'.repeat(edge / 2 - 5)}0123456789`;
    expect(Buffer.byteLength(exact)).toBe(edge);
    expect((await tenant.post('/v1/emails', emailBody({ html: exact }))).status).toBe(200);
    const over = await tenant.post('/v1/emails', emailBody({ html: `${exact}x` }));
    expect([over.status, code(over), over.body.errors[0].detail]).toEqual([400, 'VALIDATION_ERROR', 'html']);
    expect(message(over)).toContain('2097152 bytes');
  });

  it('refuses the name of a live email, compared exactly', async () => {
    const body = emailBody({ name: 'Launch' });
    const first = await tenant.post('/v1/emails', body);
    const again = await tenant.post('/v1/emails', body);
    expect([again.status, code(again)]).toEqual([409, 'TEMPLATE_ALREADY_EXISTS']);
    expect((await tenant.post('/v1/emails', { ...body, name: 'launch' })).status).toBe(200);
    expect((await (await tenantWithDomain(t)).post('/v1/emails', body)).status).toBe(200);
    await tenant.delete(`/v2/emails/${first.body.data.id}`);
    expect((await tenant.post('/v1/emails', body)).status).toBe(200);
  });

  it('gives the name to one of many concurrent requests', async () => {
    const body = emailBody({ name: 'Race' });
    const replies = await Promise.all(Array.from({ length: 8 }, () => tenant.post('/v1/emails', body)));
    expect(replies.map((reply) => reply.status).sort()).toEqual([200, ...Array(7).fill(409)]);
  });

  it('checks shape, then domain, then variables, then name', async () => {
    const taken = emailBody();
    await tenant.post('/v1/emails', taken);
    const wrong = { ...taken, fromEmail: { email: 'a@nowhere.example' }, html: '{{nope}}' };
    expect(code(await tenant.post('/v1/emails', { ...wrong, subject: '{{' }))).toBe('VALIDATION_ERROR');
    expect(code(await tenant.post('/v1/emails', wrong))).toBe('UnapprovedEmailDomainException');
    expect(code(await tenant.post('/v1/emails', { ...wrong, fromEmail: taken.fromEmail }))).toBe(
      'UnknownVariablesException',
    );
    expect(code(await tenant.post('/v1/emails', taken))).toBe('TEMPLATE_ALREADY_EXISTS');
  });

  it('repeats the first response for a repeated Idempotency-Key, and never replays a failure', async () => {
    const body = emailBody();
    const headers = { 'idempotency-key': 'make-it-once' };
    const bad = { ...body, html: '{{nope}}' };
    expect((await tenant.post('/v1/emails', bad, headers)).status).toBe(400);
    const first = await tenant.post('/v1/emails', body, headers);
    const second = await tenant.post('/v1/emails', body, headers);
    expect(second.body.data).toEqual(first.body.data);
    expect(second.headers).toMatchObject({ 'idempotency-replayed': 'true', etag: '"1"' });
  });
});

describe('GET /v2/email-variables', () => {
  it('lists the platform’s own, then first_name and the other property keys by name', async () => {
    const own = await tenantWithDomain(t, [
      { email: 'a@example.com', properties: { zip: '1', email: 'x', city: 'y' } },
    ]);
    const { body } = await own.get('/v2/email-variables');
    expect(body.data).toEqual([
      { name: 'email', kind: 'platform' },
      { name: 'unsubscribe_url', kind: 'platform' },
      { name: 'preferences_url', kind: 'platform' },
      { name: 'view_url', kind: 'platform' },
      { name: 'confirm_url', kind: 'platform' },
      { name: 'first_name', kind: 'property' },
      { name: 'city', kind: 'property' },
      { name: 'zip', kind: 'property' },
    ]);
    const second = await own.get('/v2/email-variables?pageSize=2&pageNumber=2');
    expect(second.body.data.map((row: { name: string }) => row.name)).toEqual(['preferences_url', 'view_url']);
    expect(second.body.pagination.totalElements).toBe(8);
  });
});
