import type { DataValue, simulateJourney } from '@rapport/contract';
import { instantOf } from '../../../lib/instant.js';
import type { Definition } from '../definition/definition.js';
import type { Note } from '../engine/types.js';
import { sayFact } from '../timeline/say-fact.js';
import type { EnrolmentInHand } from '../turn/enrolment.js';

type SimulationAnswer = DataValue<typeof simulateJourney>;

/** In the order of the contacts; who never entered is there, too. */
export function answerOf(
  { steps }: Definition,
  contactIds: readonly string[],
  ways: ReadonlyMap<string, readonly EnrolmentInHand[]>,
): SimulationAnswer {
  const all = contactIds.flatMap((contactId) => ways.get(contactId) ?? []);
  return {
    contacts: contactIds.flatMap((contactId): SimulationAnswer['contacts'] => {
      const own = ways.get(contactId) ?? [];
      if (own.length === 0) return [{ contactId, entered: false, endedAs: null, timeline: [] }];
      return own.map(({ ended, notes }) => ({
        ...{ contactId, entered: true, endedAs: ended?.as ?? null, timeline: notes.map(shown) },
      }));
    }),
    steps: countSteps(
      steps.map(({ id }) => id),
      all,
    ),
  };
}

function shown({ at, what, stepId, fact }: Note): SimulationAnswer['contacts'][number]['timeline'][number] {
  return {
    ...{ at: instantOf(at), what },
    ...(stepId === undefined ? {} : { stepId }),
    ...(fact === undefined ? {} : { detail: sayFact(fact), fact }),
  };
}

/** Every visit has its note; an enrolment that stands at one has not left it. */
function countSteps(stepIds: readonly string[], enrolments: readonly EnrolmentInHand[]): SimulationAnswer['steps'] {
  const entered = new Map<string, number>();
  const standing = new Map<string, number>();
  const add = (counts: Map<string, number>, stepId: string) => counts.set(stepId, (counts.get(stepId) ?? 0) + 1);
  for (const { notes, state, ended } of enrolments) {
    for (const { what, stepId } of notes) if (what === 'step' && stepId !== undefined) add(entered, stepId);
    if (!ended && state.phase !== 'ready' && state.stepId !== null) add(standing, state.stepId);
  }
  return stepIds.map((stepId) => {
    const came = entered.get(stepId) ?? 0;
    return { stepId, entered: came, left: came - (standing.get(stepId) ?? 0) };
  });
}
