// What forms may change of a contact, and what they leave alone.
import { describe, expect, it } from 'vitest';
import { countsOf, logOf, makeTopic, statesOf } from '../../../test/consent.js';
import { useFormMail } from '../../../test/form-mail.js';
import { email, firstName, formCounts, makeForm, postJson, settled } from '../../../test/forms.js';
import { eventually } from '../../../test/messages.js';
import { sql } from '../../db/sql.js';

const m = useFormMail();
const { t } = m;

describe('a form never takes away and never overrules', () => {
  it('leaves who is subscribed, and by default, as they are, without a mail; the answer is the same', async () => {
    const byDefault = await makeTopic(m.mailer, 'On', { byDefault: 'subscribed', doubleOptIn: true });
    const form = await makeForm(m.mailer, { topicIds: [m.news, byDefault] });
    const id = await m.mailer.contact('known@example.com');
    await m.put(id, m.news, 'subscribed');
    const { body } = await postJson(t, form.path, { email: 'known@example.com' });
    expect(body).toEqual({ ok: true, pending: true });
    const [submission] = await settled(m.mailer, form.formId, 1);
    expect(submission?.outcome).toBe('accepted');
    expect(await statesOf(m.mailer, id)).toMatchObject({ news_views: 'subscribed', on: 'subscribed' });
    expect(await logOf(m.mailer, id)).toEqual([['subscribed', 'api']]);
    expect((await m.mailer.get('/v2/messages?email=known@example.com')).body.data).toEqual([]);
    // Nothing is known of a new address: the default is no answer.
    await postJson(t, form.path, { email: 'unknown@example.com' });
    await settled(m.mailer, form.formId, 2);
    expect(await statesOf(m.mailer, await m.idOf('unknown@example.com'))).toMatchObject({
      news_views: 'pending',
      on: 'pending',
    });
  });

  it('asks who unsubscribed, also where the topic does not ask, and again who has not answered', async () => {
    const form = await makeForm(m.mailer, { topicIds: [m.plain] });
    const id = await m.mailer.contact('left@example.com');
    await m.put(id, m.plain, 'unsubscribed');
    expect((await postJson(t, form.path, { email: 'left@example.com' })).body).toEqual({ ok: true, pending: false });
    const [submission] = await settled(m.mailer, form.formId, 1);
    expect(submission?.outcome).toBe('pending');
    expect(await statesOf(m.mailer, id)).toMatchObject({ plain: 'pending' });
    await postJson(t, form.path, { email: 'left@example.com' });
    await m.confirm(await m.linkTo('left@example.com', 2));
    expect(await statesOf(m.mailer, id)).toMatchObject({ plain: 'subscribed' });
    expect(await logOf(m.mailer, id)).toEqual([
      ['unsubscribed', 'api'],
      ['pending', 'form'],
      ['subscribed', 'confirmation'],
    ]);
    await postJson(t, form.path, { email: 'fresh@example.com' });
    await settled(m.mailer, form.formId, 3);
    const fresh = await m.idOf('fresh@example.com');
    expect(await logOf(m.mailer, fresh)).toEqual([['subscribed', 'form']]);
    expect((await m.mailer.get('/v2/messages?email=fresh@example.com')).body.data).toEqual([]);
  });

  it.each(['bounced', 'complained', 'manual'])('does nothing for an address that %s suppresses', async (reason) => {
    const form = await makeForm(m.mailer, { topicIds: [m.news] });
    const address = `${reason}@example.com`;
    await m.mailer.put(`/v2/suppressions/${address}`, { reason });
    const sent = await postJson(t, form.path, { email: address, first_name: 'x' });
    expect([sent.status, sent.body]).toEqual([200, { ok: true, pending: true }]);
    const [submission] = await settled(m.mailer, form.formId, 1);
    const refused = () => formCounts(m.mailer, form.formId);
    expect(await eventually(refused, ([, , , n]) => n === 1)).toEqual([0, 0, 0, 1]);
    expect(submission).toMatchObject({ contactId: null });
    expect((await settled(m.mailer, form.formId, 1))[0]).toMatchObject({ outcome: 'refused', reason });
    expect((await m.mailer.get(`/v2/contacts/by-email/${address}`)).status).toBe(400);
    expect((await m.mailer.get(`/v2/messages?email=${address}`)).body.data).toEqual([]);
  });

  it('asks who unsubscribed from everything, and the answer lifts that suppression', async () => {
    const form = await makeForm(m.mailer, { topicIds: [m.plain] });
    const id = await m.mailer.contact('back@example.com');
    await m.mailer.put('/v2/suppressions/back@example.com', { reason: 'unsubscribed' });
    await postJson(t, form.path, { email: 'back@example.com' });
    const link = await m.linkTo('back@example.com');
    expect(await statesOf(m.mailer, id)).toMatchObject({ plain: 'pending' });
    await m.confirm(link);
    expect(await statesOf(m.mailer, id)).toMatchObject({ plain: 'subscribed' });
    expect((await m.mailer.get('/v2/suppressions?search=back@example.com')).body.data).toEqual([]);
    const properties = async () => (await m.mailer.get(`/v2/contacts/${id}`)).body.data.properties;
    await eventually(properties, (found) => found.unsubscribed === undefined);
  });

  it('lifts no other suppression, which came since', async () => {
    const form = await makeForm(m.mailer, { topicIds: [m.news] });
    await postJson(t, form.path, { email: 'angry@example.com' });
    const link = await m.linkTo('angry@example.com');
    await m.mailer.put('/v2/suppressions/angry@example.com', { reason: 'complained' });
    expect((await m.confirm(link)).status).toBe(200);
    const { data } = (await m.mailer.get('/v2/suppressions?search=angry@example.com')).body;
    expect(data).toMatchObject([{ reason: 'complained' }]);
  });
});

describe('properties and lists', () => {
  const size = { property: 'size', label: 'Size', type: 'select', options: ['S', 'M'] };
  const agree = { property: 'agreed', label: 'I agree', type: 'checkbox' };
  const propertiesOf = async (id: string) => (await m.mailer.get(`/v2/contacts/${id}`)).body.data.properties;
  const membersOf = async (listId: string) =>
    (await m.mailer.get(`/v2/lists/${listId}/members`)).body.data.map(
      ({ contactId }: { contactId: string }) => contactId,
    );
  const makeList = async (name: string): Promise<string> =>
    (await m.mailer.post('/v2/lists', { name })).body.data.staticListId;

  it('are filled in where they are missing, and the list is joined, when it is accepted', async () => {
    const listId = await makeList('Accepted');
    const form = await makeForm(m.mailer, { topicIds: [m.plain], fields: [email, firstName, size, agree], listId });
    const id = await m.mailer.contact('grace@example.com', { first_name: 'Grace' });
    await postJson(t, form.path, { email: 'grace@example.com', first_name: 'Mallory', size: 'M', agreed: true });
    expect((await settled(m.mailer, form.formId, 1))[0]?.outcome).toBe('accepted');
    expect(await propertiesOf(id)).toEqual({ first_name: 'Grace', size: 'M', agreed: true });
    expect(await membersOf(listId)).toEqual([id]);
    await postJson(t, form.path, { email: 'new@example.com', first_name: 'New', size: 'S' });
    await settled(m.mailer, form.formId, 2);
    expect(await propertiesOf(await m.idOf('new@example.com'))).toEqual({ first_name: 'New', size: 'S' });
  });

  it('change, and the list is joined, when it is confirmed, and not before', async () => {
    const listId = await makeList('Confirmed');
    const form = await makeForm(m.mailer, { topicIds: [m.news], fields: [email, firstName, size], listId });
    const id = await m.mailer.contact('linus@example.com', { first_name: 'Old' });
    await postJson(t, form.path, { email: 'linus@example.com', first_name: 'Linus', size: 'S' });
    const link = await m.linkTo('linus@example.com');
    expect(await propertiesOf(id)).toEqual({ first_name: 'Old' });
    expect(await membersOf(listId)).toEqual([]);
    await m.confirm(link);
    expect(
      await eventually(
        () => propertiesOf(id),
        ({ size: found }) => found === 'S',
      ),
    ).toEqual({
      ...{ first_name: 'Linus', size: 'S' },
    });
    expect(await membersOf(listId)).toEqual([id]);
  });

  it('are written where the list is gone, which is passed over', async () => {
    const listId = await makeList('Gone');
    const form = await makeForm(m.mailer, { topicIds: [m.plain], listId });
    expect((await m.mailer.delete(`/v2/lists/${listId}`)).status).toBe(200);
    await postJson(t, form.path, { email: 'nolist@example.com', first_name: 'No' });
    expect((await settled(m.mailer, form.formId, 1))[0]?.outcome).toBe('accepted');
    expect((await m.mailer.patch(`/v2/forms/${form.formId}`, { name: 'Renamed' })).status).toBe(200);
    expect((await t.anonymous.get(form.path)).status).toBe(200);
  });
});

describe('an erasure', () => {
  it('empties what a person sent, ends the link, and an address that comes back by a form is asked', async () => {
    const form = await makeForm(m.mailer, { topicIds: [m.plain] });
    const id = await m.mailer.contact('gone@example.com');
    await m.put(id, m.plain, 'unsubscribed');
    await postJson(t, form.path, { email: 'gone@example.com', first_name: 'Gone' });
    const link = await m.linkTo('gone@example.com');
    await m.mailer.done(await m.mailer.delete(`/v2/contacts/${id}`));
    const rows = await t.db.rows(sql<{ text: string }>`select s::text as text from form_submission s`);
    expect(rows.filter(({ text }) => text.includes('gone@example.com') || text.includes('Gone'))).toEqual([]);
    expect((await m.confirm(link)).status).toBe(404);
    expect(await formCounts(m.mailer, form.formId)).toEqual([0, 1, 0, 0]);
    await postJson(t, form.path, { email: 'gone@example.com' });
    await m.linkTo('gone@example.com', 2);
    const back = await m.idOf('gone@example.com');
    expect(await statesOf(m.mailer, back)).toMatchObject({ plain: 'pending' });
    expect(await logOf(m.mailer, back)).toEqual([
      ['unsubscribed', 'api'],
      ['pending', 'form'],
    ]);
  });
});

it('counts in topics exactly what was said', async () => {
  const topicId = await makeTopic(m.mailer, 'Counted', { doubleOptIn: true });
  const form = await makeForm(m.mailer, { topicIds: [topicId] });
  for (const name of ['a', 'b', 'c']) await postJson(t, form.path, { email: `${name}@count.example` });
  await settled(m.mailer, form.formId, 3);
  expect(await countsOf(m.mailer, topicId)).toEqual([0, 0, 3]);
  await m.confirm(await m.linkTo('b@count.example'));
  expect(await countsOf(m.mailer, topicId)).toEqual([1, 0, 2]);
});
