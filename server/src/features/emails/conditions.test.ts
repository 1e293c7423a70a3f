// Conditions of designs through HTTP: the tag that a compiled design contains, in emails, previews and mail.
import { beforeAll, describe, expect, it } from 'vitest';
import { type TenantClient, useApp } from '../../../test/app.js';
import { makeTopic } from '../../../test/consent.js';
import { emailBody, tenantWithDomain } from '../../../test/emails.js';
import { conditionsIn } from './conditions.js';

const t = useApp({ work: true });
let tenant: TenantClient;
let ada: string;
let bob: string;

beforeAll(async () => {
  tenant = await tenantWithDomain(t);
  const contacts = [{ email: 'ada@x.io', properties: { plan: 'pro', seats: 5 } }, { email: 'bob@x.io' }];
  const { data } = await tenant.done(await tenant.post('/v2/contacts/batch', { contacts }));
  [ada, bob] = data.results.map(({ contactId }: { contactId: string }) => contactId);
});

function email(html: string) {
  return tenant.post('/v2/emails', emailBody({ html }));
}
const tag = (filter: unknown, then = 'yes', otherwise = 'no') =>
  `<p>{% audience ${JSON.stringify(filter)} %}${then}{% else %}${otherwise}{% endaudience %}</p>`;

async function shown(emailId: string, contactId?: string): Promise<string> {
  const { status, body, text } = await tenant.post(`/v2/emails/${emailId}/preview`, contactId ? { contactId } : {});
  expect(status, text).toBe(200);
  return body.data.html.replace(/<[^>]*>/g, '');
}

async function outcomes(filter: unknown): Promise<string> {
  const { body, text, status } = await email(tag(filter));
  expect(status, text).toBe(200);
  const id = body.data.emailId;
  return `${await shown(id, ada)} ${await shown(id, bob)} ${await shown(id)}`;
}

describe('a condition in an email', () => {
  it('is decided for each contact by the filter language', async () => {
    expect(await outcomes({ property: 'plan', is: 'pro' })).toBe('yes no no');
    expect(await outcomes({ none: [{ property: 'plan', is: 'pro' }] })).toBe('no yes no');
    expect(
      await outcomes({
        all: [
          { property: 'seats', gte: 5 },
          { contact: 'email', startsWith: 'ada' },
        ],
      }),
    ).toBe('yes no no');
  });

  it('may be about lists and topics, as they are at the time', async () => {
    const list = (await tenant.post('/v1/lists', { name: 'A list' })).body.data.staticListId;
    const topicId = await makeTopic(tenant, 'News');
    const made = await email(tag({ staticListId: list }) + tag({ topic: topicId, is: 'subscribed' }, 'in', 'out'));
    const id = made.body.data.emailId;
    expect(await shown(id, ada)).toBe('noout');
    await tenant.post(`/v1/lists/${list}/members`, { contactIds: [ada] });
    await tenant.put(`/v2/contacts/${ada}/topics/${topicId}`, { state: 'subscribed' });
    expect(await shown(id, ada)).toBe('yesin');
    expect(await shown(id, bob)).toBe('noout');
  });

  it('keeps a topic from being deleted, in a text, a translation and a saved block', async () => {
    const kept = async (topicId: string) => {
      const { status, body } = await tenant.delete(`/v2/topics/${topicId}`);
      return status === 200 ? undefined : [status, body.errors[0].errorCode, body.errors[0].message];
    };
    const refusal = (name: string) => [
      409,
      'INVALID_STATE',
      expect.stringContaining(`${name} has a condition about it.`),
    ];
    const [inText, inTranslation, inBlock] = [
      await makeTopic(tenant, 'In a text'),
      await makeTopic(tenant, 'In a translation'),
      await makeTopic(tenant, 'In a block'),
    ];
    const about = (topicId: string) => ({ topic: topicId, is: 'subscribed' });
    const own = (await tenant.post('/v2/emails', emailBody({ name: 'Own', html: tag(about(inText)) }))).body.data;
    const languages = { de: { subject: 'x', preheader: null, html: tag(about(inTranslation)) } };
    const other = await tenant.post('/v2/emails', emailBody({ name: 'Other', languages }));
    expect(other.status, other.text).toBe(200);
    const content = [{ type: 'paragraph', spans: [{ text: 'Hello' }] }];
    const blocks = [{ type: 'if', filter: about(inBlock), blocks: [{ type: 'text', content }] }];
    const saved = await tenant.post('/v2/blocks', { name: 'Greeting', blocks });
    expect(saved.status, saved.text).toBe(200);
    expect(await kept(inText)).toEqual(refusal('The email "Own"'));
    expect(await kept(inTranslation)).toEqual(refusal('The email "Other"'));
    expect(await kept(inBlock)).toEqual(refusal('The saved block "Greeting"'));
    await tenant.patch(`/v2/emails/${own.emailId}`, { html: '<p>Hello</p>' });
    await tenant.delete(`/v2/emails/${other.body.data.emailId}`);
    await tenant.delete(`/v2/blocks/${saved.body.data.blockId}`);
    for (const topicId of [inText, inTranslation, inBlock]) expect(await kept(topicId)).toBeUndefined();
  });

  it('keeps a list from being deleted, in a text and in a saved block', async () => {
    const staticListId = (await tenant.post('/v2/lists', { name: 'In a text' })).body.data.staticListId;
    const made = await tenant.post('/v2/dynamic-lists', {
      name: 'In a block',
      filter: { property: 'plan', is: 'pro' },
    });
    const { dynamicListId } = made.body.data;
    const own = await tenant.post('/v2/emails', emailBody({ name: 'Listed', html: tag({ staticListId }) }));
    const blocks = [{ type: 'if', filter: { dynamicListId }, blocks: [] }];
    const saved = await tenant.post('/v2/blocks', { name: 'Members', blocks });
    expect([own.status, saved.status]).toEqual([200, 200]);
    const remove = async (path: string) => {
      const { status, body } = await tenant.delete(path);
      return [status, body.errors[0]?.errorCode, body.errors[0]?.message];
    };
    const [inText, inBlock] = [`/v2/lists/${staticListId}`, `/v2/dynamic-lists/${dynamicListId}`];
    expect(await remove(inText)).toEqual([409, 'INVALID_STATE', 'The email "Listed" has a condition about it.']);
    expect(await remove(inBlock)).toEqual([
      409,
      'INVALID_STATE',
      'The saved block "Members" has a condition about it.',
    ]);
    await tenant.delete(`/v2/emails/${own.body.data.emailId}`);
    await tenant.delete(`/v2/blocks/${saved.body.data.blockId}`);
    for (const path of [inText, inBlock]) expect((await remove(path))[0]).toBe(200);
  });

  it('may be nested and repeated', async () => {
    const pro = { property: 'plan', is: 'pro' };
    const made = await email(tag(pro, tag({ property: 'seats', exists: true }, 'a', 'b'), tag(pro, 'c', 'd')));
    expect(await shown(made.body.data.emailId, ada)).toBe('a');
    expect(await shown(made.body.data.emailId, bob)).toBe('d');
  });

  it.each([
    ['is not JSON', '{% audience plan %}x{% endaudience %}', /a filter is wanted/],
    ['is about events', tag({ event: 'Bought' }), /filter\.event: a condition in an email cannot be about events/],
    ['is about mail', tag({ marketing: 'opened' }), /cannot be about earlier mail/],
    ['is about journeys', tag({ journeyId: '0123456789abcdef01234567', state: 'entered' }), /journeys/],
    ['is no filter', tag({ property: 'plan', gt: 'x' }), /filter\.gt: a number is wanted/],
    [
      'names a list that is not there',
      tag({ staticListId: '0123456789abcdef01234567' }),
      /there is no such static list/,
    ],
    ['is not closed', '{% audience {"all":[]} %}x', /not closed/],
    ['says nothing', '{% audience %}x{% endaudience %}', /filter/],
  ])('is refused when it %s', async (_what, html, words) => {
    const { status, body } = await email(html);
    expect(status).toBe(400);
    expect(body.errors[0]).toMatchObject({
      errorCode: 'VALIDATION_ERROR',
      detail: 'html',
      message: expect.stringMatching(words),
    });
  });

  it('is found once, however often it begins before it ends', () => {
    const html = `${'{% audience '.repeat(80_000)}%}`;
    expect(conditionsIn({ subject: '', preheader: null, html })).toHaveLength(1);
  });

  it('is refused where there are more than a design can have', async () => {
    const many = Array.from({ length: 201 }, (_, i) => tag({ property: 'seats', is: i })).join('');
    expect((await email(many)).body.errors[0].message).toMatch(/at most 200 conditions/);
  });
});

describe('the tag for public topics', () => {
  it('follows whether the tenant has one now', async () => {
    const other = await tenantWithDomain(t);
    const html = 'a{% publictopics %}b{% endpublictopics %}';
    const { emailId } = (await other.post('/v2/emails', emailBody({ html }))).body.data;
    const shownNow = async () => (await other.post(`/v2/emails/${emailId}/preview`, {})).body.data.html;
    expect(await shownNow()).toBe('a');
    await makeTopic(other, 'Hidden', { visibility: 'private' });
    expect(await shownNow()).toBe('a');
    await makeTopic(other, 'Shown');
    expect(await shownNow()).toBe('ab');
  });
});
