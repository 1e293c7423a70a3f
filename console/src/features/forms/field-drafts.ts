// The fields of a form while they are edited. Pure.
import { type FormFieldType, isPropertyKey, mostFormFields } from '@rapport/contract';
import { t } from '../../texts/forms.ts';
import type { FormField } from './form-api.ts';

/** Options are typed as lines. `key` stays with a field when it moves. */
export interface FieldDraft {
  key: number;
  property: string;
  label: string;
  type: FormFieldType;
  required: boolean;
  options: string;
}

export function draftsOf(fields: readonly FormField[]): FieldDraft[] {
  return fields.map(({ property, label, type, required, options = [] }, key) => ({
    ...{ key, property, label, type, required },
    options: options.join('\n'),
  }));
}

export function inputOf(drafts: readonly FieldDraft[]) {
  return drafts.map(({ property, label, type, required, options }) => ({
    ...{ property: property.trim(), label: label.trim(), type, required: required || type === 'email' },
    ...(type === 'select' ? { options: linesOf(options) } : {}),
  }));
}

export function linesOf(text: string): string[] {
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
}

export function canAdd(drafts: readonly FieldDraft[]): boolean {
  return drafts.length < mostFormFields;
}

export function added(drafts: readonly FieldDraft[]): FieldDraft[] {
  const key = Math.max(-1, ...drafts.map((draft) => draft.key)) + 1;
  return [...drafts, { key, property: '', label: '', type: 'text', required: false, options: '' }];
}

export function moved(drafts: readonly FieldDraft[], from: number, to: number): FieldDraft[] {
  const rest = drafts.filter((_, at) => at !== from);
  const one = drafts[from];
  return one && to >= 0 && to < drafts.length ? [...rest.slice(0, to), one, ...rest.slice(to)] : [...drafts];
}

export type FieldFaults = Partial<Record<'property' | 'label' | 'options' | 'type', string>>;

/** What is wrong with each, in their order. */
export function faultsOfFields(drafts: readonly FieldDraft[]): FieldFaults[] {
  const emails = drafts.filter(({ type }) => type === 'email').length;
  const uses = (property: string) => drafts.filter((draft) => draft.property.trim() === property).length;
  return drafts.map(({ property, label, type, options }) => {
    const key = property.trim();
    return {
      ...(label.trim() === '' && { label: t.fault.label }),
      ...(!isPropertyKey(key) ? { property: t.fault.property } : uses(key) > 1 && { property: t.fault.twice }),
      ...(type === 'select' && linesOf(options).length === 0 && { options: t.fault.options }),
      ...(emails > 1 && type === 'email' && { type: t.fault.email }),
    };
  });
}

export function countFaults(drafts: readonly FieldDraft[]): number {
  return faultsOfFields(drafts).filter((faults) => Object.keys(faults).length > 0).length;
}

export function hasEmail(drafts: readonly FieldDraft[]): boolean {
  return drafts.some(({ type }) => type === 'email');
}
