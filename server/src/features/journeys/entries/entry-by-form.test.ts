// A form that starts a journey, through HTTP: at an accepted submission, or once a pending one is confirmed.
import { beforeAll, expect, it } from 'vitest';
import { useApp } from '../../../../test/app.js';
import { makeTopic } from '../../../../test/consent.js';
import { enrolmentsOf, startJourney, timelineOf, untilEnrolment } from '../../../../test/enrolments.js';
import { makeForm, noBounds, postJson, settled } from '../../../../test/forms.js';
import { entriesOf, stay } from '../../../../test/journeys/entries.js';
import { makeJourney } from '../../../../test/journeys.js';
import { eventually, type Mailer, makeMailer } from '../../../../test/messages.js';
import { sql } from '../../../db/sql.js';

const t = useApp({ work: true, forms: noBounds });
let tenant: Mailer;
beforeAll(async () => {
  tenant = await makeMailer(t);
});
const { settle, whoIn } = entriesOf(() => tenant);
const byForm = (formId: string) => ({ entry: { form: { formId } }, steps: stay, reentry: 'always' });
const idOf = async (email: string) => (await tenant.get(`/v2/contacts/by-email/${email}`)).body.data.id as string;

it('takes who sends that form after the activation, once for each submission', async () => {
  const [form, other] = [await makeForm(tenant), await makeForm(tenant, { name: 'Other' })];
  await postJson(t, form.path, { email: 'early@example.com' });
  await settled(tenant, form.formId, 1);
  const journeyId = await startJourney(tenant, byForm(form.formId));
  await postJson(t, other.path, { email: 'ada@example.com' });
  await postJson(t, form.path, { email: 'ada@example.com' });
  const one = await untilEnrolment(tenant, journeyId, () => true);
  expect(one.contactId).toBe(await idOf('ada@example.com'));
  expect((await timelineOf(tenant, journeyId, one.enrolmentId))[0]).toMatchObject({
    ...{
      what: 'entered',
      detail: `They submitted the form ${form.formId}.`,
      fact: { code: 'formSent', formId: form.formId },
    },
  });
  await postJson(t, form.path, { email: 'ada@example.com' });
  await settled(tenant, form.formId, 3);
  await settle();
  expect(await whoIn(journeyId)).toEqual([one.contactId, one.contactId]);
});

it('takes a pending submission once it is confirmed, and a second confirmation of its link not again', async () => {
  const topicId = await makeTopic(tenant, 'Asks', { doubleOptIn: true });
  const form = await makeForm(tenant, { name: 'Asking', topicIds: [topicId] });
  const journeyId = await startJourney(tenant, byForm(form.formId));
  const byTopic = (becomes: string) => startJourney(tenant, { entry: { topic: { topicId, becomes } }, steps: stay });
  const [asking, subscribing] = [await byTopic('pending'), await byTopic('subscribed')];
  await postJson(t, form.path, { email: 'asked@example.com' });
  const [sent] = await settled(tenant, form.formId, 1);
  expect(sent?.outcome).toBe('pending');
  await settle();
  expect(await whoIn(journeyId)).toEqual([]);
  // What a form and its confirmation say starts journeys by topic, too.
  expect([await whoIn(asking), await whoIn(subscribing)]).toEqual([[sent?.contactId], []]);
  const mails = await eventually(
    () =>
      t.db.rows(sql<{ html: string }>`
      select html from outbox_message where tenant_id = ${tenant.tenantId} and html like '%/t/y/%'`),
    ({ length }) => length > 0,
  );
  const link = /(\/t\/y\/[\w-]+)/.exec(mails[0]?.html ?? '')?.[1] as string;
  const post = () => t.anonymous.post(link, '', { 'content-type': 'application/x-www-form-urlencoded' });
  expect((await post()).status).toBe(200);
  await post();
  expect(await untilEnrolment(tenant, journeyId, () => true)).toMatchObject({ contactId: sent?.contactId });
  await settle();
  expect(await enrolmentsOf(tenant, journeyId)).toHaveLength(1);
  expect(await whoIn(subscribing)).toEqual([sent?.contactId]);
  const { data } = (await tenant.get(`/v2/journeys/${journeyId}/explain?contactId=${sent?.contactId}`)).body;
  expect(data.reasons).toContainEqual(
    expect.objectContaining({ what: 'entry', holds: true, detail: 'They submitted the form.' }),
  );
  expect((await tenant.get(`/v2/journeys/${journeyId}/reach`)).body.data).toMatchObject({
    ...{ basis: 'unknown', text: expect.stringContaining('contacts enter when they submit the form') },
  });
});

it('names a form that is there', async () => {
  const gone = await makeForm(tenant, { name: 'Gone' });
  await tenant.delete(`/v2/forms/${gone.formId}`);
  for (const formId of [gone.formId, '0'.repeat(24)]) {
    const id = await makeJourney(tenant, { definition: byForm(formId) });
    const { status, body } = await tenant.post(`/v2/journeys/${id}/activate`);
    expect([status, body.errors[0].detail]).toEqual([
      400,
      expect.stringContaining('definition.entry.form.formId: there is no such form'),
    ]);
  }
});
