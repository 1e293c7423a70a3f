// What single reports can be narrowed to, beside the period.
import { Select } from '@mantine/core';
import { listEmails } from '@rapport/contract';
import { useQuery } from '@tanstack/react-query';
import { allOf } from '../../api.ts';
import { keys } from '../../queries/keys.ts';
import { useApi } from '../../session/session.tsx';
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
  const names = useEmailNames();
  return (
    <Select
      label={t.email}
      placeholder={t.allEmails}
      w={240}
      data={[...names].map(([id, label]) => ({ value: id, label }))}
      value={value ?? null}
      onChange={(chosen) => onChange(chosen ?? undefined)}
      searchable
      clearable
      clearButtonProps={{ 'aria-label': t.allEmails }}
    />
  );
}

/** Of all emails, by id. */
export function useEmailNames(): Map<string, string> {
  const api = useApi();
  const { data = [] } = useQuery({
    queryKey: keys.emails.any('names'),
    queryFn: () => allOf(api.rows(listEmails, { query: { pageSize: 100 } })),
    staleTime: 60_000,
  });
  return new Map(data.map(({ emailId, name }) => [emailId, name]));
}
