// How single reports can be filtered, besides the period.
import { Select } from '@mantine/core';
import { useEmailNames } from '../../shared/names/use-names.ts';
import { t } from '../../texts/reports.ts';

const statuses = ['active', 'draft', 'inactive'] as const;

export const statusOf = (text: string | undefined): (typeof statuses)[number] | undefined =>
  statuses.find((status) => status === text);

interface FilterProps {
  value: string | undefined;
  onChange: (value: string | undefined) => void;
}

export function StatusFilter({ value, onChange }: FilterProps) {
  return (
    <Select
      label={t.status}
      placeholder={t.anyStatus}
      w={160}
      data={statuses.map((status) => ({ value: status, label: t.statuses[status] }))}
      value={statusOf(value) ?? null}
      onChange={(chosen) => onChange(chosen ?? undefined)}
      clearable
      clearButtonProps={{ 'aria-label': t.anyStatus }}
    />
  );
}

export function EmailFilter({ value, onChange }: FilterProps) {
  const { choices } = useEmailNames();
  return (
    <Select
      label={t.email}
      placeholder={t.allEmails}
      w={240}
      data={choices}
      value={value ?? null}
      onChange={(chosen) => onChange(chosen ?? undefined)}
      searchable
      clearable
      clearButtonProps={{ 'aria-label': t.allEmails }}
    />
  );
}
