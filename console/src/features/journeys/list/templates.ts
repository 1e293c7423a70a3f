// What a new journey can begin with: nothing, or one of the templates.
import { journeyTemplates } from '@rapport/contract';
import { t } from '../../../texts/journeys.ts';
import type { JourneyRecord, JsonObject } from '../journey-api.ts';

interface Beginning {
  id: string;
  type: JourneyRecord['type'];
  title: string;
  text: string;
  /** What the workspace must have for it; nothing to be said of an empty one. */
  needs: string | undefined;
  definition: JsonObject | undefined;
}

export const beginnings: readonly Beginning[] = [
  { id: 'empty', type: 'trigger', ...t.empty, needs: undefined, definition: undefined },
  { id: 'emptyBatch', type: 'batch', ...t.emptyBatch, needs: undefined, definition: undefined },
  ...journeyTemplates.map(({ id, type, title, text, needs, definition }) => ({
    ...{ id, type, title, text, needs: t.needs(needs) },
    definition: definition as unknown as JsonObject,
  })),
];
