import { NumberInput, Select, TextInput } from '@mantine/core';
import { durationInOneUnit, writeDuration } from '@rapport/contract';
import { t } from '../../../../texts/filter.ts';
import { unitsAfter } from '../../../../texts/numbers.ts';
import classes from '../controls.module.css';

interface DurationInputProps {
  value: unknown;
  onChange: (duration: string) => void;
  isReadOnly: boolean;
  label?: string;
}

const units = ['minutes', 'hours', 'days', 'weeks'] as const;
type Unit = (typeof units)[number];

/** A number and a unit; other durations stay as text. */
export function DurationInput({ value, onChange, isReadOnly, label = t.seconds }: DurationInputProps) {
  const span = durationInOneUnit(value, units);
  if (!span && typeof value === 'string' && value !== '' && value !== 'P0D')
    return (
      <TextInput
        aria-label={label}
        className={classes.short ?? ''}
        value={value}
        disabled={isReadOnly}
        onChange={(event) => onChange(event.currentTarget.value)}
      />
    );
  const { count, unit } = span ?? { count: undefined, unit: 'days' as Unit };
  return (
    <div className={classes.pair ?? ''}>
      <NumberInput
        aria-label={label}
        className={classes.tiny ?? ''}
        value={count ?? ''}
        min={1}
        max={5_256_000}
        allowDecimal={false}
        allowNegative={false}
        hideControls
        disabled={isReadOnly}
        onChange={(next) => onChange(writeDuration({ count: Number(next) || 0, unit }))}
      />
      <Select
        aria-label={t.unit}
        className={classes.unit ?? ''}
        data={units.map((each) => ({ value: each, label: unitsAfter(count ?? 1)[each] }))}
        value={unit}
        allowDeselect={false}
        disabled={isReadOnly}
        onChange={(next) => onChange(writeDuration({ count: count ?? 1, unit: (next ?? 'days') as Unit }))}
      />
    </div>
  );
}
