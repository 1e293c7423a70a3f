// What applies to everyone in a journey, in words.

import { sayDuration } from '../../../shared/duration.ts';
import { t as stepTexts } from '../../../texts/journey-steps.ts';
import { t } from '../../../texts/journeys.ts';
import { filterWords } from '../../audiences/filter-words.ts';
import type { Definition, SendWindow } from './definition.ts';

/** In the order in which they are shown. */
export const ruleNames = ['goal', 'holdout', 'cap', 'window', 'reentry', 'exitWhen'] as const;
export type RuleName = (typeof ruleNames)[number];

const before = ':rules.';

/** Where a rule is opened, and its faults are shown. No step can have it: an id has no colon. */
export const rulePlace = (name: RuleName): string => before + name;

export function ruleAt(place: string | undefined): RuleName | undefined {
  return ruleNames.find((name) => rulePlace(name) === place);
}

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
      return window && sayWindow(window);
    case 'holdout':
      return holdout === undefined ? undefined : t.percentOf(holdout);
  }
}

function sayWindow({ days = [], from, to, timeZone }: SendWindow): string {
  const named = days.length === 0 || days.length === 7 ? '' : days.map((day) => stepTexts.weekdays[day - 1]).join(', ');
  const zone = timeZone === 'contact' ? t.theirZone : timeZone;
  return t.windowOf(named, from, to, zone);
}
