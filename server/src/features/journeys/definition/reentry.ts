import type { Reentry } from './definition.js';

/** What of the past decides: whether the contact is on its way, or when it entered last. */
export function decidedBy(reentry: Reentry): 'active' | 'last' | 'nothing' {
  if (reentry === 'always') return 'nothing';
  return reentry === 'afterExit' ? 'active' : 'last';
}

/** Whether a contact may enter, given when it did last and whether it is still on its way. Pure. */
export function mayEnter(reentry: Reentry, lastEntry: number | undefined, isActive: boolean, now: number): boolean {
  if (reentry === 'always') return true;
  if (reentry === 'afterExit') return !isActive;
  if (reentry === 'never') return lastEntry === undefined;
  return lastEntry === undefined || now - lastEntry >= reentry.after.ms;
}
