// The figures of a journey, counted as simply as possible from what the interpreter reports about each contact.
import type { Told } from './story.js';

export interface Happened {
  /** `step part what`, in the format of `keyOfPassage`. */
  readonly key: string;
  readonly at: number;
}

export const keyOfPassage = (stepId: string | null, part: string, what: string) => `${stepId ?? ''}|${part}|${what}`;

/** Everything that counts on one contact's way, with its time. */
export function happenedTo({ visits, done, ended }: Told, start: number, isHoldout: boolean): Happened[] {
  const all: Happened[] = [];
  const add = (at: number, stepId: string | null, part: string, what: string) =>
    all.push({ key: keyOfPassage(stepId, part, what), at });
  const live = (what: string, at: number) => {
    for (const part of isHoldout ? ['', 'holdout'] : ['']) add(at, null, part, what);
  };
  live('entered', start);
  const end = ended === null ? undefined : Number(ended.split(' at ').at(-1));
  if (end !== undefined) live(ended?.startsWith('completed') ? 'completed' : 'exited', end);
  const steps = visits.map((visit) => visit.split(' ')).map(([, stepId = '', at]) => ({ stepId, at: Number(at) }));
  for (const [i, { stepId, at }] of steps.entries()) {
    add(at, stepId, '', 'entered');
    const left = steps[i + 1]?.at ?? end;
    if (left === undefined) continue;
    add(left, stepId, '', 'left');
    add(left, stepId, '', `took:${Math.round(8 * Math.log2(Math.max(1, left - at)))}`);
  }
  const arms = new Map<string, string>();
  for (const [what = '', ...rest] of done.map((line) => line.split(' '))) {
    const at = Number(rest.at(-1));
    if (what === 'goal') {
      live('goal', at);
      if (!isHoldout) for (const [split, arm] of arms) add(at, split, `arm:${arm}`, 'goal');
    }
    if (what !== 'arm') continue;
    const [arm = '', visit] = rest;
    const split = steps[Number(visit) - 1]?.stepId ?? '';
    if (!isHoldout && arms.get(split) !== arm) add(at, split, `arm:${arm}`, 'entered');
    arms.set(split, arm);
  }
  return all;
}

/** How often each thing happened in a window, both ends included. */
export function countIn(all: readonly Happened[], { from, to }: { from: string | null; to: string | null }) {
  const counts: Record<string, number> = {};
  for (const { key, at } of all)
    if ((from === null || at >= Date.parse(from)) && (to === null || at <= Date.parse(to)))
      counts[key] = (counts[key] ?? 0) + 1;
  return counts;
}
