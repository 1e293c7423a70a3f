import { Group, Input, NumberInput, Select } from '@mantine/core';
import { type DurationUnit, durationInOneUnit, writeDuration } from '@rapport/contract';
import { t } from '../../../texts/journey-steps.ts';
import { unitsAfter } from '../../../texts/numbers.ts';

const units: readonly DurationUnit[] = ['minutes', 'hours', 'days', 'weeks'];

interface DurationFieldProps {
  label: string;
  value: string | undefined;
  onChange: (duration: string) => void;
  isReadOnly: boolean;
  hint?: string;
}

/** A duration as a number and a unit. */
export function DurationField({ label, value, onChange, isReadOnly, hint }: DurationFieldProps) {
  const { count, unit } = durationInOneUnit(value) ?? { count: 1, unit: 'days' as const };
  const choices = units.includes(unit) ? units : [unit, ...units];
  return (
    <Input.Wrapper label={label} description={hint}>
      <Group gap="xs" wrap="nowrap">
        <NumberInput
          aria-label={t.amount(label)}
          w={96}
          min={1}
          max={3650}
          allowDecimal={false}
          clampBehavior="strict"
          value={count}
          readOnly={isReadOnly}
          onChange={(next) => typeof next === 'number' && next >= 1 && onChange(writeDuration({ count: next, unit }))}
        />
        <Select
          aria-label={t.unit(label)}
          flex={1}
          data={choices.map((each) => ({ value: each, label: unitsAfter(count)[each] }))}
          value={unit}
          readOnly={isReadOnly}
          allowDeselect={false}
          onChange={(next) => next && onChange(writeDuration({ count, unit: next as DurationUnit }))}
        />
      </Group>
    </Input.Wrapper>
  );
}
