import { Select, TextInput } from '@mantine/core';
import { listPeople } from '@rapport/contract';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { rowsOf } from '../../../api/ask.ts';
import { useApi } from '../../../api/session/session.tsx';
import styles from '../../../shared/toolbar.module.css';
import { Toolbar } from '../../../shared/toolbar.tsx';
import { usePageParams } from '../../../shared/use-page-params.ts';
import { actionNames, audit as t } from '../../../texts/settings-access.ts';

export const filterNames = ['action', 'account', 'from', 'to'] as const;
const actions = Object.entries(actionNames).map(([value, label]) => ({ value, label }));

/** The filters of the log, all of them in the page's address. */
export function AuditFilters({ children }: { children: ReactNode }) {
  const api = useApi();
  const { param, setParam, clearing } = usePageParams();
  const { data: people = [] } = useQuery({
    ...rowsOf(api, listPeople, { query: { pageSize: 200 } }),
  });
  const day = (name: 'from' | 'to') => (
    <TextInput
      type="date"
      label={t[name]}
      value={param(name) ?? ''}
      onChange={(event) => setParam(name, event.currentTarget.value)}
    />
  );
  return (
    <Toolbar onClear={clearing(...filterNames)}>
      <Select
        label={t.action}
        placeholder={t.anyAction}
        className={styles.fill ?? ''}
        data={actions}
        value={param('action') ?? null}
        onChange={(value) => setParam('action', value ?? undefined)}
        searchable
        clearable
        clearButtonProps={{ 'aria-label': t.anyAction }}
      />
      <Select
        label={t.who}
        placeholder={t.anybody}
        className={styles.fill ?? ''}
        data={people.map(({ accountId, name }) => ({ value: String(accountId), label: name }))}
        value={param('account') ?? null}
        onChange={(value) => setParam('account', value ?? undefined)}
        searchable
        clearable
        clearButtonProps={{ 'aria-label': t.anybody }}
      />
      {day('from')}
      {day('to')}
      {children}
    </Toolbar>
  );
}
