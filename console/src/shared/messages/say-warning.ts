// What prevents email from arriving, in plain words. Pure.
import type { DataValue, getSendingSetup } from '@rapport/contract';
import { setup } from '../../texts/settings-sending.ts';

export type SendingWarning = DataValue<typeof getSendingSetup>['warnings'][number];

/** The service's own words for warnings that are newer than this page. */
export function sayWarning({ code, domain, message }: SendingWarning): string {
  return Object.hasOwn(setup.warnings, code) ? setup.warnings[code](domain ?? '') : message;
}
