import { expect, it } from 'vitest';
import { useApp } from '../../../../test/app.js';
import { seedContacts } from '../../../../test/dynamic-lists.js';
import { enrolmentsOf, startJourney } from '../../../../test/enrolments.js';

const t = useApp({ work: true });

it('tells the addresses of those on the way where they are asked for, and none of whom was erased', async () => {
  const tenant = await t.tenant();
  const journeyId = await startJourney(tenant, {
    entry: { api: true },
    steps: [{ id: 'wait', type: 'delay', for: 'P1D' }],
  });
  const [ada = '', bob = ''] = await seedContacts(t, tenant, [{ email: 'ada@x.io' }, { email: 'bob@x.io' }]);
  await tenant.post(`/v2/journeys/${journeyId}/enroll`, { contactIds: [ada, bob] });
  await tenant.done(await tenant.delete(`/v2/contacts/${bob}`));
  const told = await tenant.get(`/v2/journeys/${journeyId}/enrolments?include=email`);
  const emailOf = (id: string | null) =>
    told.body.data.find(({ contactId }: { contactId: string | null }) => contactId === id)?.email;
  expect(emailOf(ada)).toBe('ada@x.io');
  expect(emailOf(null)).toBeNull();
  const [first] = await enrolmentsOf(tenant, journeyId, `&contactId=${ada}`);
  expect(first).not.toHaveProperty('email');
  const one = await tenant.get(`/v2/journeys/${journeyId}/enrolments/${first?.enrolmentId}?include=email`);
  expect(one.body.data).toMatchObject({ email: 'ada@x.io', timeline: [{ what: 'entered' }, {}, {}] });
});
