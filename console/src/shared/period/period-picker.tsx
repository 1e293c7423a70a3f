import { Select, TextInput } from '@mantine/core';
import { t } from '../../texts/reports.ts';
import { ClockIcon } from '../icons.tsx';
import { isBackwards, kinds, type Period } from './period.ts';

interface PeriodPickerProps {
  period: Period;
  usual: Period['kind'];
  set: (name: string, value: string | undefined) => void;
  /** Offers all time. */
  withAll?: boolean;
}

export function PeriodPicker({ period, usual, set, withAll = false }: PeriodPickerProps) {
  const choices = [
    ...kinds.map((value) => ({ value: value as string, label: t.periods[value] })),
    ...(withAll ? [{ value: 'all', label: t.all }] : []),
    { value: 'custom', label: t.custom },
  ];
  const day = (name: 'from' | 'to') => ({
    type: 'date',
    label: t[name],
    value: period[name] ?? '',
    onChange: (event: { currentTarget: { value: string } }) => set(name, event.currentTarget.value || undefined),
  });
  return (
    <>
      <Select
        label={t.period}
        leftSection={<ClockIcon />}
        w={180}
        data={choices}
        value={period.kind}
        allowDeselect={false}
        onChange={(value) => set('period', value === null || value === usual ? undefined : value)}
      />
      {period.kind === 'custom' && (
        <>
          <TextInput {...day('from')} />
          <TextInput {...day('to')} error={isBackwards(period) ? t.wrongWay : undefined} description={undefined} />
        </>
      )}
    </>
  );
}
