import { Select } from '@mantine/core';
import { type Operator, operators } from '@rapport/contract';
import { t } from '../../../../texts/filter.ts';
import classes from '../controls.module.css';
import { operatorsOf } from '../model/conditions.ts';
import type { FilterJson } from '../model/filter-json.ts';
import { operatorIn, operatorsFirst, type ValueType, withOperator } from '../model/operators.ts';

interface OperatorSelectProps {
  json: FilterJson;
  types: readonly ValueType[];
  onChange: (json: FilterJson) => void;
  isReadOnly: boolean;
}

const missing = 'missing';

/** Set and not set are two choices for people, but one operator in the language. */
export function OperatorSelect({ json, types, onChange, isReadOnly }: OperatorSelectProps) {
  const allowed = operatorsOf(json);
  const now = operatorIn(json, allowed);
  const choose = (next: string | null) => {
    const operator = next === missing ? 'exists' : (next as Operator | null);
    if (!operator) return;
    const changed = withOperator(json, allowed, operator);
    onChange(operator === 'exists' ? { ...changed, exists: next !== missing } : changed);
  };
  const choices = operatorsFirst(allowed, types).flatMap((operator) => [
    { value: operator as string, label: operators[operator].words },
    ...(operator === 'exists' ? [{ value: missing, label: t.hasNoValue }] : []),
  ]);
  return (
    <Select
      aria-label={t.operator}
      className={classes.word ?? ''}
      data={choices}
      value={now === 'exists' && json.exists === false ? missing : (now ?? null)}
      allowDeselect={false}
      disabled={isReadOnly}
      comboboxProps={{ width: 'max-content', position: 'bottom-start' }}
      maxDropdownHeight={320}
      onChange={choose}
    />
  );
}
