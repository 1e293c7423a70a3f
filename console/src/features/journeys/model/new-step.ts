import { type StepType, steps } from '@rapport/contract';
import type { Step } from './definition.ts';

/** With what is most likely meant, and an id that no other has. */
export function newStep(type: StepType, taken: ReadonlySet<string>): Step {
  const id = freeId(steps[type].id, taken);
  switch (type) {
    case 'delay':
      return { id, type, for: 'P1D', next: null };
    case 'waitUntil':
      return { id, type, branches: [{ event: { eventName: '' }, next: null }], timeout: 'P7D', onTimeout: null };
    case 'branch':
      return { id, type, cases: [{ filter: { all: [] }, next: null }], otherwise: null };
    case 'split':
      return {
        ...{ id, type },
        arms: [
          { name: 'A', percent: 50, next: null },
          { name: 'B', percent: 50, next: null },
        ],
      };
    case 'setTopic':
      return { id, type, state: 'subscribed', next: null };
    case 'exit':
      return { id, type };
    default:
      return { id, type, next: null };
  }
}

function freeId(name: string, taken: ReadonlySet<string>): string {
  for (let count = 1; ; count++) {
    const id = count === 1 ? name : `${name}-${count}`;
    if (!taken.has(id)) return id;
  }
}
