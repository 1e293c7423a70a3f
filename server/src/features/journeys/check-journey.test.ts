// Faults of a definition that is not saved: those of activation, each with its step.
import { beforeAll, describe, expect, it } from 'vitest';
import { type TenantClient, useApp } from '../../../test/app.js';
import { makeEmail, tenantWithDomain } from '../../../test/emails.js';
import { makeJourney, plainDefinition } from '../../../test/journeys.js';

const t = useApp();
let tenant: TenantClient;
beforeAll(async () => {
  tenant = await tenantWithDomain(t);
});

const check = async (definition: unknown, type = 'trigger') =>
  (await tenant.post('/v2/journeys/check', { type, definition })).body.data.faults;

describe('POST /v2/journeys/check', () => {
  it('finds nothing wrong with a definition that can be activated', async () => {
    expect(await check(plainDefinition)).toEqual([]);
  });

  it('tells each fault with its place and the id of its step', async () => {
    const theirs = await makeEmail(await tenantWithDomain(t));
    const definition = {
      entry: { api: true },
      holdout: 80,
      steps: [
        { id: 'hello', type: 'sendEmail', emailId: theirs },
        { id: 'wait', type: 'delay', for: 'soon' },
        { type: 'exit', reason: '' },
      ],
    };
    const faults = await check(definition);
    const places = faults.map(({ path, stepId }: { path: string; stepId: string | null }) => [path, stepId]);
    expect(places).toEqual(
      expect.arrayContaining([
        ['definition.holdout', null],
        ['definition.steps[0].emailId', 'hello'],
        ['definition.steps[1].for', 'wait'],
        ['definition.steps[2].id', null],
      ]),
    );
    expect(faults).toContainEqual({
      ...{ path: 'definition.steps[0].emailId', stepId: 'hello' },
      message: 'there is no such email',
    });
  });

  it('tells what conditions name and is not there, also where something else cannot be read', async () => {
    const gone = 'a'.repeat(24);
    const definition = {
      entry: { api: true },
      holdout: 80,
      exitWhen: { any: [{ marketing: 'opened', emailId: gone, journeyId: gone }] },
      goal: { filter: { journeyId: gone, state: 'entered' } },
      steps: [{ id: 'done', type: 'exit' }],
    };
    const faults = await check(definition);
    expect(faults.map(({ path, message }: Record<string, string>) => `${path}: ${message}`)).toEqual([
      expect.stringMatching(/^definition\.holdout: /),
      'definition.exitWhen.any[0].emailId: there is no such email',
      'definition.exitWhen.any[0].journeyId: there is no such journey',
      'definition.goal.filter.journeyId: there is no such journey',
    ]);
  });

  it('tells every fault of a filter, and a thousand in all', async () => {
    const wrong = (count: number) => ({ any: Array.from({ length: count }, () => ({ property: 'a', gt: 'b' })) });
    const steps = Array.from({ length: 10 }, (_, i) => ({
      ...{ id: `s${i}`, type: 'branch', otherwise: null },
      cases: [{ filter: wrong(150), next: null }],
    }));
    const definition = (count: number) => ({ entry: { api: true }, exitWhen: wrong(75), steps: steps.slice(0, count) });
    expect(await check(definition(1))).toHaveLength(225);
    expect(await check(definition(10))).toHaveLength(1000);
  });

  it('tells what activation tells, and changes nothing', async () => {
    const definition = { entry: { audience: {} }, steps: [{ id: 'x', type: 'webhook', url: 'no', body: '{{ open' }] };
    const faults = await check(definition);
    const id = await makeJourney(tenant, { definition });
    const refused = await tenant.post(`/v2/journeys/${id}/activate`);
    const told = refused.body.errors.map(({ detail }: { detail: string }) => detail);
    expect(refused.status).toBe(400);
    expect(faults.map(({ path, message }: Record<string, string>) => `${path}: ${message}`)).toEqual(told);
    expect((await tenant.get('/v2/journeys')).body.data).toMatchObject([{ journeyId: id, status: 'draft' }]);
  });

  it('refuses a body without a type or a definition, and a definition that is too large', async () => {
    const statuses = [];
    const huge = { entry: { api: true }, steps: [], note: 'x'.repeat(300_000) };
    for (const body of [{ definition: {} }, { type: 'trigger' }, { type: 'batch', definition: huge }])
      statuses.push((await tenant.post('/v2/journeys/check', body)).status);
    expect(statuses).toEqual([400, 400, 400]);
  });
});
