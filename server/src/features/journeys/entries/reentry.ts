import type { Reentry } from '../definition/definition.js';

/** Whether a contact may enter, given when it did last and whether it is still on its way. Pure. */
export function mayEnter(reentry: Reentry, lastEntry: number | undefined, isActive: boolean, now: number): boolean {
  if (reentry === 'always') return true;
  if (reentry === 'afterExit') return !isActive;
  if (reentry === 'never') return lastEntry === undefined && !isActive;
  return lastEntry === undefined || now - lastEntry >= reentry.after.ms;
}
