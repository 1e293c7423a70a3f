// Journeys: which there are, what one says and where people are in it, and what it would do.
import * as contract from '@rapport/contract';
import { Type } from 'typebox';
import { invalid } from '../../../http/api-error.js';
import { fitting } from '../bound.js';
import { pageData, pagingInput, rangeOf, readRange } from '../paging.js';
import type { Drafts } from '../plans/drafts.js';
import type { DraftRow } from '../plans/queries.js';
import { refuseGuessing } from '../refuse-guessing.js';
import { pageShape, reads, type Session, shape, tool } from '../tool.js';
import { anyObject, plural } from './people.js';

export type SimulateDefinition = (
  tenantId: number,
  type: 'batch' | 'trigger',
  body: SimulationBody & { definition: Record<string, unknown> },
) => Promise<contract.DataValue<typeof contract.simulateJourney>>;
type SimulationBody = contract.BodyValue<typeof contract.simulateJourney>;

export interface JourneyNeeds {
  drafts: Drafts;
  simulate: SimulateDefinition;
}

export const listJourneysTool = tool({
  name: 'list_journeys',
  title: 'List journeys',
  scopes: ['read'],
  description:
    'Journeys with their state, newest first; those with an email by emailId. Example: {"status":"active","limit":10}',
  input: Type.Object({
    status: Type.Optional(Type.Enum([...contract.journeyStatuses])),
    search: Type.Optional(Type.String({ description: 'a part of the name' })),
    emailId: Type.Optional(Type.String({ description: 'only those that send it' })),
    ...pagingInput,
  }),
  output: pageShape,
  annotations: reads,
  run: async ({ status, search, emailId, ...paging }, { api }) => {
    const range = rangeOf(paging);
    const { rows, total } = await readRange(range, (page) =>
      api(contract.listJourneys, { query: { status, search, emailId, ...page } }),
    );
    // An email that no journey sends is something else than one that is not there.
    if (emailId !== undefined && total === 0) await api(contract.getEmail, { params: { id: emailId } });
    const items = rows.map(({ journeyId, name, type, status: state, nextRunTime, tags, dynamicListId, createdAt }) => ({
      ...{ journeyId, name, type, status: state, nextRunTime, tags, dynamicListId, createdAt },
    }));
    return {
      data: pageData(range, items, total),
      text: `${plural(total, 'journey')}.`,
      touched: items.map(({ journeyId }) => `journey:${journeyId}`),
    };
  },
});

export const getJourneyTool = ({ drafts }: JourneyNeeds) =>
  tool({
    name: 'get_journey',
    title: 'Read a journey',
    scopes: ['read'],
    description:
      'A journey: its state, definition, the draft that waits to be published, problems with their places, and how many people are at each step. Many steps come in parts: go on with stepsFrom. Example: {"journeyId":"019a8b2c4d5e6f708192a3d1"}',
    input: Type.Object({
      journeyId: Type.String(),
      stepsFrom: Type.Optional(Type.Integer({ minimum: 0, description: 'the step from which on to read' })),
    }),
    output: shape({
      ...{ journey: 'object', draft: ['object', 'null'], faults: 'array', warnings: 'array', inProgress: 'integer' },
      ...{ steps: 'array', nextStepsFrom: ['integer', 'null'], cut: 'string' },
    }),
    annotations: reads,
    run: async ({ journeyId, stepsFrom = 0 }, session) => {
      const { data, draft, faults, warnings } = await readJourney(session, drafts, journeyId);
      const funnel = await session.api(contract.getJourneyFunnel, { params: { id: journeyId } });
      const [journey, drafted, counted] = [
        partOf(data, stepsFrom),
        draft && partOf(draft, stepsFrom),
        fitting(
          funnel.data.steps.map(({ stepId, name, type, inProgress, entered, left }) => ({
            ...{ stepId, ...(name === undefined ? {} : { name }), type, inProgress, entered, left },
          })),
          stepsFrom,
          partBytes / 2,
        ),
      ];
      const nextStepsFrom = nextOf([journey.next, drafted?.next, counted.next]);
      return {
        data: {
          ...{ journey: journey.whole, draft: drafted?.whole ?? null, faults, warnings },
          ...{ inProgress: funnel.data.inProgress, steps: counted.part, nextStepsFrom },
          ...(nextStepsFrom === null
            ? {}
            : { cut: `There are more steps. Call again with stepsFrom: ${nextStepsFrom}.` }),
        },
        rest: 'Call again with stepsFrom for later steps.',
        text: `The journey is ${data.isPaused ? 'paused' : data.status}; ${plural(funnel.data.inProgress, 'person is', 'people are')} in it, and it has ${plural(faults.length, 'problem')}.`,
        touched: [`journey:${journeyId}`],
      };
    },
  });

// Bytes of a definition in one answer, which may hold a draft beside it.
const partBytes = 12_000;

/** With as many steps, from one on, as fit. */
function partOf<T extends { definition: Record<string, unknown> | null }>(whole: T, from: number) {
  const steps = whole.definition?.steps;
  if (!Array.isArray(steps)) return { whole, next: null };
  const { part, next } = fitting(steps, from, partBytes);
  return { whole: { ...whole, definition: { ...whole.definition, steps: part } }, next };
}

/** Where all of them go on; what came already comes again. */
function nextOf(places: readonly (number | null | undefined)[]): number | null {
  const open = places.filter((place) => typeof place === 'number');
  return open.length === 0 ? null : Math.min(...open);
}

interface ReadJourney {
  data: contract.DataValue<typeof contract.getJourney>;
  etag: string | undefined;
  draft: DraftRow | null;
  faults: contract.DataValue<typeof contract.checkJourney>['faults'];
  warnings: contract.DataValue<typeof contract.checkJourney>['warnings'];
}

/** A journey, and what is wrong with what would be activated or published next. */
export async function readJourney({ api, caller }: Session, drafts: Drafts, journeyId: string): Promise<ReadJourney> {
  const { data, etag } = await api(contract.getJourney, { params: { id: journeyId } });
  // Of one that was live before, it is not what would be activated.
  const draft = data.status === 'active' ? await drafts.find(caller.tenantId, journeyId) : undefined;
  const definition = draft?.definition ?? data.definition;
  const checked = definition
    ? (await api(contract.checkJourney, { body: { type: data.type, definition } })).data
    : { faults: [], warnings: [] };
  return { data, etag, draft: draft ?? null, faults: checked.faults, warnings: checked.warnings };
}

export const simulateJourneyTool = ({ simulate, drafts }: JourneyNeeds) =>
  tool({
    name: 'simulate_journey',
    title: 'Simulate a journey',
    scopes: ['read'],
    description:
      'Takes sampled contacts through a journey on a virtual clock, without sending or changing anything: a saved one by journeyId (its draft, if it has one), or a definition with its type. Example: {"journeyId":"019a8b2c4d5e6f708192a3d1","sample":5,"until":"2026-12-24T00:00:00Z"}',
    input: Type.Object({
      journeyId: Type.Optional(Type.String()),
      definition: Type.Optional(anyObject('a definition; the resource rapport://docs/journeys explains it')),
      type: Type.Optional(Type.Enum([...contract.journeyTypes])),
      sample: Type.Optional(Type.Integer({ minimum: 1, maximum: 1000, description: 'contacts; 20 by default' })),
      contactIds: Type.Optional(Type.Array(Type.String(), { maxItems: 1000 })),
      from: Type.Optional(Type.String({ description: 'when it begins; now by default' })),
      until: Type.Optional(Type.String({ description: 'when it ends' })),
    }),
    output: shape({ contacts: 'array', steps: 'array', cut: 'string' }),
    annotations: reads,
    run: async ({ journeyId, type, sample, contactIds, definition, ...period }, session) => {
      refuseGuessing(session, 'definition', definition);
      const { tenantId } = session.caller;
      const who = contactIds ? { contactIds, ...(sample === undefined ? {} : { sample }) } : { sample: sample ?? 20 };
      const body = { ...who, ...period };
      if (journeyId === undefined && !definition) throw invalid('journeyId', 'or definition is required');
      const saved = journeyId === undefined || definition ? undefined : await readJourney(session, drafts, journeyId);
      const tried = definition ?? saved?.draft?.definition;
      const data =
        journeyId === undefined
          ? await simulate(tenantId, type ?? typeOf(definition), { ...body, definition: definition ?? {} })
          : (
              await session.api(contract.simulateJourney, {
                params: { id: journeyId },
                body: { ...body, ...(tried ? { definition: tried } : {}) },
              })
            ).data;
      const entered = data.contacts.filter((contact) => contact.entered).length;
      return {
        data: { contacts: data.contacts, steps: data.steps },
        text: `${plural(entered, 'contact')} of ${data.contacts.length} entered. Nothing was sent or changed.`,
        touched: [
          ...(journeyId === undefined ? [] : [`journey:${journeyId}`]),
          ...data.contacts.map(({ contactId }) => `contact:${contactId}`),
        ],
      };
    },
  });

/** A journey over an audience is a batch. */
function typeOf(definition: Record<string, unknown> | undefined): 'batch' | 'trigger' {
  const { entry } = definition ?? {};
  return typeof entry === 'object' && entry !== null && 'audience' in entry ? 'batch' : 'trigger';
}
