// Conditions that ask something of one value: properties and fields of people, organizations and events.
import type { PropertyOwner } from '@rapport/contract';
import { useBuilder } from '../builder-context.ts';
import { OperatorSelect } from '../inputs/operator-select.tsx';
import { ValueInput } from '../inputs/value-input.tsx';
import { ValueNotes } from '../inputs/value-notes.tsx';
import type { FilterJson } from '../model/filter-json.ts';
import type { ValueType } from '../model/operators.ts';
import { type Suggestions, useEventProperties, useProperty, usePropertyValues } from '../suggestions.ts';

export interface FieldsProps {
  json: FilterJson;
  onChange: (json: FilterJson) => void;
  isReadOnly: boolean;
}

export function PropertyFields({ of, name, ...props }: FieldsProps & { of: PropertyOwner; name: string }) {
  const types = useProperty(of, name)?.types ?? [];
  const useValues = (search: string, enabled: boolean) => usePropertyValues(of, name, search, enabled);
  return (
    <>
      <OperatorSelect {...props} types={types} />
      <ValueInput {...props} types={types} useValues={useValues} />
      <ValueNotes {...props} of={of} name={name} />
    </>
  );
}

const noValues = (): Suggestions => ({ values: [] });

/** Fields whose values are not suggested: addresses, ids, times. */
export function PlainFields(props: FieldsProps & { types?: readonly ValueType[] }) {
  const { types = [] } = props;
  return (
    <>
      <OperatorSelect {...props} types={types} />
      <ValueInput {...props} types={types} useValues={noValues} />
    </>
  );
}

/** A property of an event, at a path; also what `of` leads to. */
export function EventValueFields(props: FieldsProps & { path: unknown; eventName?: string | undefined }) {
  const { path, eventName } = props;
  const builder = useBuilder();
  const known = useEventProperties(eventName ?? builder.eventName);
  const keys = Array.isArray(path) ? path : [path];
  const property = known.find((each) => each.path.join('\0') === keys.join('\0'));
  const types = property?.types ?? [];
  const useValues = (search: string): Suggestions => ({
    values: (property?.examples ?? [])
      .filter((each) => String(each).toLowerCase().includes(search.toLowerCase()))
      .map((value) => ({ value })),
  });
  return (
    <>
      <OperatorSelect {...props} types={types} />
      <ValueInput {...props} types={types} useValues={useValues} />
    </>
  );
}
