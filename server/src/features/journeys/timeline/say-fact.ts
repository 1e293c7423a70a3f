// Lines of timelines as they are stored and as the API shows them. The words are in the contract's grammar/timeline.ts.
import { type FactPart, type TimelineEntry, type TimelineFact, type TimelineWord, tellFact } from '@rapport/contract';
import type { Static } from 'typebox';
import { instantOf } from '../../../lib/instant.js';

/** What a stored line says. Lines from before there were codes have words; those that queries look for have both. */
export interface StoredFact {
  readonly code: string | null;
  readonly subjects: Readonly<Record<string, unknown>> | null;
  readonly detail: string | null;
}

export interface StoredLine extends StoredFact {
  readonly at: string;
  readonly what: TimelineWord;
  readonly stepId: string | null;
}

export function sayFact(fact: TimelineFact): string {
  return (tellFact(fact) ?? []).map(plain).join('');
}

function plain(part: FactPart): string {
  if (typeof part === 'string') return part;
  return 'id' in part ? part.id : instantOf(part.time);
}

/** Nothing for a line that has words of its own. */
function factOf({ code, subjects, detail }: StoredFact): TimelineFact | undefined {
  return detail === null && code !== null ? ({ code, ...subjects } as TimelineFact) : undefined;
}

/** A stored line: in the words that it was stored with, or in those of its code. */
export function sayStored(stored: StoredFact): string | null {
  const fact = factOf(stored);
  return fact ? sayFact(fact) : stored.detail;
}

/** A line as the API shows it: what it does not have is left out. */
export function sayLine({ at, what, stepId, ...stored }: StoredLine): Static<typeof TimelineEntry> {
  const fact = factOf(stored);
  const detail = sayStored(stored);
  return {
    ...{ at, what, ...(stepId === null ? {} : { stepId }) },
    ...{ ...(detail === null ? {} : { detail }), ...(fact ? { fact } : {}) },
  };
}
