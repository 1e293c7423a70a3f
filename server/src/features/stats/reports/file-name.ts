// What a file of statistics is called: what it is about, and its period by the days of UTC.
import type { Window } from '../../../db/tallies.js';

export function fileName(subject: string, { from, to }: Window): string {
  return `${subject}-${periodName(from?.slice(0, 10), to?.slice(0, 10))}.csv`;
}

function periodName(from: string | undefined, to: string | undefined): string {
  if (from === undefined) return to === undefined ? 'all-time' : `until-${to}`;
  if (to === undefined) return `from-${from}`;
  return from === to ? from : `${from}-to-${to}`;
}
