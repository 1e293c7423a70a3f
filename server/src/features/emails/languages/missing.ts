// What of an email is not translated. Nothing keeps such an email from being sent: these are warnings.
import type { Design } from '@rapport/contract';
import { untranslatedIn } from '../texts/units.js';
import type { Translation } from './translation.js';

interface Own {
  preheader: string | null;
  design: Design | null;
}

/** Fields where the email's own is sent, and places in the design whose text is that of the email. */
export function missingIn(own: Own, { subject, preheader, html, design }: Translation): string[] {
  return [
    ...(subject === null ? ['subject'] : []),
    ...(preheader === null && own.preheader !== null ? ['preheader'] : []),
    ...(html === null ? [own.design ? 'design' : 'html'] : []),
    ...(own.design && design ? untranslatedIn(own.design, design) : []),
  ];
}
