import { beforeEach, describe, expect, it } from 'vitest';
import { type TenantClient, useApp } from '../../../../test/app.js';
import { tenantWithDomain } from '../../../../test/emails.js';
import type { ShownEntry } from '../../../../test/enrolments.js';
import { at, from, type Json, simulationsOf } from '../../../../test/journeys/simulate.js';
import { makeActive, makeJourney } from '../../../../test/journeys.js';

const t = useApp({ work: true });

let tenant: TenantClient;
let ada: string;
let bob: string;
beforeEach(async () => {
  tenant = await tenantWithDomain(t);
  [ada, bob] = (await contacts({ email: 'ada@x.io' }, { email: 'bob@x.io' })) as [string, string];
});

const { contacts, simulate } = simulationsOf(() => tenant);

const inProgress = (journeyId: string) => ({ journeyId, state: 'inProgress' });

describe('a simulation', () => {
  it('takes people out of another journey, and filters see that they have left', async () => {
    const other = await makeActive(tenant, {
      definition: { entry: { api: true }, steps: [{ id: 'wait', type: 'delay', for: 'P1D' }] },
    });
    await tenant.post(`/v2/journeys/${other}/enroll`, { contactIds: [ada] });
    const { body } = await simulate(
      {
        entry: { api: true },
        steps: [
          { id: 'in', type: 'branch', cases: [{ filter: inProgress(other), next: 'leave' }], otherwise: 'leave' },
          { id: 'leave', type: 'leaveJourney', journeyId: other },
          { id: 'wait', type: 'delay', for: 'PT1H' },
          { id: 'out', type: 'branch', cases: [{ filter: inProgress(other), next: null }], otherwise: 'again' },
          { id: 'again', type: 'leaveJourney', journeyId: other },
        ],
      },
      { contactIds: [ada, bob], from },
    );
    const details = body.data.contacts.map(({ timeline }: { timeline: ShownEntry[] }) =>
      timeline.map(({ detail }) => detail).filter((detail) => detail?.includes(other)),
    );
    const [leaves, vain] = [`Took them out of the journey ${other}.`, `They were not in the journey ${other}.`];
    expect(details).toEqual([
      [expect.stringContaining('Case 1 of 1'), leaves, leaves, vain],
      [leaves, vain, leaves, vain],
    ]);
    const { data } = (await tenant.get(`/v2/journeys/${other}/enrolments`)).body;
    expect(data).toEqual([expect.objectContaining({ state: 'active' })]);
  });

  it('takes a contact out of a journey that it started before, as often as it may enter there', async () => {
    const other = await makeActive(tenant);
    const start = { type: 'startJourney', journeyId: other };
    const leave = { type: 'leaveJourney', journeyId: other };
    const steps = [
      { id: 'start', ...start },
      { id: 'leave', ...leave },
      { id: 'again', ...start },
      { id: 'vain', ...leave },
    ];
    const { body } = await simulate({ entry: { api: true }, steps }, { contactIds: [ada], from });
    const told = body.data.contacts[0].timeline.map(({ detail }: ShownEntry) => detail);
    expect(told.filter((detail: string | null) => detail?.includes('were not in'))).toEqual([
      `They were not in the journey ${other}.`,
    ]);
  });

  it('ends the other passages of a contact where the journey names itself', async () => {
    const id = await makeJourney(tenant);
    const definition = {
      ...{ entry: { event: { eventName: 'go' } }, reentry: 'always' },
      steps: [
        { id: 'leave', type: 'leaveJourney', journeyId: id },
        { id: 'wait', type: 'delay', for: 'P1D' },
      ],
    };
    const events = [1, 2].map((hours) => ({ contactId: ada, eventName: 'go', at: at(hours) }));
    const { body } = await tenant.post(`/v2/journeys/${id}/simulate`, { contactIds: [ada], from, definition, events });
    expect(body.data.contacts.map(({ endedAs }: Json) => endedAs)).toEqual(['exited', 'completed']);
  });
});
