// Puts refusals of the API beside the fields of a form, in words for people: the name that a field has in the API becomes its label.
import { ApiFailure } from '@rapport/client';

export type Faults<Field extends string> = { [Name in Field | 'form']?: string | undefined };

/** What is about no field of the form, and what is no refusal at all, is said of the form as a whole. */
export function faultsOf<Field extends string>(
  error: Error | null,
  labels: Readonly<Record<Field, string>>,
): Faults<Field> {
  if (!error) return {};
  if (!(error instanceof ApiFailure)) return { form: error.message } as Faults<Field>;
  const faults: Partial<Record<string, string>> = {};
  for (const { message, detail = '' } of error.items) {
    const named = /^\w+/.exec(detail)?.[0] ?? '';
    const field = Object.hasOwn(labels, named) ? (named as Field) : 'form';
    const said = field === 'form' ? message : inWords(message, detail, labels[field]);
    faults[field] = faults[field] ? `${faults[field]} ${said}` : said;
  }
  return faults as Faults<Field>;
}

/** `url must be …` of the field “Address” is “Address must be …”. */
function inWords(message: string, detail: string, label: string): string {
  return message.startsWith(`${detail} `) ? `${label}${message.slice(detail.length)}` : message;
}

/** What to say of a field that was left empty. */
export const wanted = (text: string, fault: string): string | undefined => (text.trim() === '' ? fault : undefined);
