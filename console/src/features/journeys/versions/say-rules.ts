// What applies to everyone in a journey, in words.
import { t } from '../../../texts/journeys.ts';
import type { Definition } from '../model/definition.ts';
import { sayDuration } from '../model/duration.ts';
import { filterWords } from '../model/filter-words.ts';

export const ruleNames = ['exitWhen', 'goal', 'reentry', 'cap', 'window', 'holdout'] as const;
export type RuleName = (typeof ruleNames)[number];

/** Undefined: not set. */
export function sayRule(name: RuleName, definition: Definition): string | undefined {
  const { exitWhen, goal, reentry, cap, window, holdout } = definition;
  switch (name) {
    case 'exitWhen':
      return exitWhen && filterWords(exitWhen);
    case 'goal':
      return goal && `${filterWords(goal.filter)}${goal.exit ? `, ${t.goalExit}` : ''}`;
    case 'reentry':
      if (reentry === undefined) return undefined;
      return typeof reentry === 'string'
        ? (t.reentries[reentry] ?? reentry)
        : t.reentryAfter(sayDuration(reentry.after));
    case 'cap':
      return cap && t.capOf(cap.messages, sayDuration(cap.per));
    case 'window':
      return window && t.windowOf(window.from, window.to, window.timeZone);
    case 'holdout':
      return holdout === undefined ? undefined : t.percentOf(holdout);
  }
}
