import { Anchor } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'wouter';
import { useApi } from '../../api/session/session.tsx';
import { EmptyState } from '../../shared/empty-state.tsx';
import { LogIcon } from '../../shared/icons.tsx';
import { Moment } from '../../shared/moment.tsx';
import type { Column } from '../../shared/table/column.ts';
import { DataTable, pagedQuery } from '../../shared/table/data-table.tsx';
import { ToneBadge } from '../../shared/tone-badge.tsx';
import { usePageParams } from '../../shared/use-page-params.ts';
import { outcomes, reasons, t } from '../../texts/forms.ts';
import { t as words } from '../../texts/shared.ts';
import { type Form, type Submission, submissionsQuery } from './form-api.ts';
import { FormDays } from './form-days.tsx';
import classes from './forms.module.css';

export function SubmissionsTab({ form }: { form: Form }) {
  const api = useApi();
  const { pageNumber, setPage } = usePageParams();
  const query = useQuery({ ...submissionsQuery(api, form.formId, pageNumber), ...pagedQuery });
  return (
    <>
      <FormDays form={form} />
      <DataTable
        label={t.submissions}
        query={query}
        onPage={setPage}
        columns={columnsOf(form)}
        rowKey={({ submissionId }) => submissionId}
        empty={<EmptyState icon={<LogIcon size={20} />} title={t.emptySubmissions} text={t.emptySubmissionsText} />}
      />
    </>
  );
}

function columnsOf({ fields }: Form): Column<Submission>[] {
  const address = fields.find(({ type }) => type === 'email')?.property ?? 'email';
  return [
    { id: 'when', title: t.when, cell: ({ at }) => <Moment at={at} /> },
    {
      id: 'contact',
      title: t.contact,
      cell: ({ contactId, values }) => <Sender contactId={contactId} address={values[address]} />,
    },
    {
      id: 'outcome',
      title: t.outcome,
      cell: ({ outcome }) => <ToneBadge tone={outcomes[outcome].tone}>{outcomes[outcome].label}</ToneBadge>,
    },
    {
      id: 'reason',
      title: t.reason,
      cell: ({ reason }) => (reason ? reasons[reason] : words.empty),
      isEmpty: ({ reason }) => !reason,
    },
    {
      id: 'values',
      title: t.values,
      cell: ({ values }) => <span className={classes.values}>{saidOf(values, address) || words.empty}</span>,
      isEmpty: ({ values }) => saidOf(values, address) === '',
    },
  ];
}

function Sender({ contactId, address }: { contactId: string | null; address: unknown }) {
  const text = typeof address === 'string' && address !== '' ? address : words.empty;
  if (contactId === null) return text;
  return (
    <Anchor component={Link} href={`/contacts/${contactId}`}>
      {text}
    </Anchor>
  );
}

function saidOf(values: Readonly<Record<string, unknown>>, address: string): string {
  const others = Object.entries(values).filter(([property]) => property !== address);
  return others.map(([property, value]) => `${property}: ${String(value)}`).join(', ');
}
