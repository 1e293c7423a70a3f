// The names of the steps of a stored definition, by id, for tables and figures.
import { readDefinition } from './read.ts';
import { type Names, sayStep } from './say.ts';

export function stepNamesOf(definition: unknown, names: Names): Map<string, string> {
  const read = readDefinition(definition);
  if ('problem' in read) return new Map();
  return new Map(
    read.definition.steps.map((step) => {
      const { title, detail } = sayStep(step, names);
      return [step.id, detail && !step.name?.trim() ? `${title}: ${detail}` : title];
    }),
  );
}
