import type { Step, StepType } from './definition.ts';

// Short and readable: they stand in figures, timelines and the API.
const names: Record<StepType, string> = {
  ...{ sendEmail: 'email', delay: 'wait', waitUntil: 'wait-for', branch: 'branch', split: 'split' },
  ...{ updateProperty: 'set-property', addToList: 'add-to-list', removeFromList: 'remove-from-list' },
  ...{ webhook: 'webhook', emitEvent: 'event', startJourney: 'start-journey', exit: 'exit' },
};

/** With what is most likely meant, and an id that no other has. */
export function newStep(type: StepType, taken: ReadonlySet<string>): Step {
  const id = freeId(names[type], taken);
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
