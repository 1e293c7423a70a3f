// Shows the API's errors at the fields of a form, in words for people: a field's name in the API becomes its label.
import { ApiFailure } from '@rapport/client';
import { reasonIn } from '@rapport/contract';

export type Faults<Field extends string> = { [Name in Field | 'form']?: string | undefined };

/** Errors that concern no field, and other failures, are shown for the form as a whole. */
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
    // `url must be …` for the field “Address” becomes “Address must be …”.
    const reason = field === 'form' ? undefined : reasonIn(message, detail);
    const said = reason === undefined ? message : `${labels[field as Field]} ${reason}`;
    faults[field] = faults[field] ? `${faults[field]} ${said}` : said;
  }
  return faults as Faults<Field>;
}

/** The message for a required field that is empty. */
export const wanted = (text: string, fault: string): string | undefined => (text.trim() === '' ? fault : undefined);
