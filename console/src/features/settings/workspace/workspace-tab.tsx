import { Button, Select, Text, TextInput } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { type DataValue, getWorkspace, updateWorkspace } from '@rapport/contract';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { about, dataOf } from '../../../api/ask.ts';
import { useRights } from '../../../api/session/rights.ts';
import { useApi } from '../../../api/session/session.tsx';
import { Card } from '../../../shared/card.tsx';
import { TypedNotice } from '../../../shared/drafts/typed-notice.tsx';
import { useTyped } from '../../../shared/drafts/use-typed.ts';
import { ErrorState } from '../../../shared/error-state.tsx';
import { FactList } from '../../../shared/facts/fact-list.tsx';
import { faultsOf } from '../../../shared/form/faults.ts';
import { LoadingState } from '../../../shared/loading-state.tsx';
import { whole } from '../../../texts/numbers.ts';
import { t } from '../../../texts/settings.ts';
import { t as words } from '../../../texts/shared.ts';
import classes from '../settings.module.css';

type Workspace = DataValue<typeof getWorkspace>;

export default function WorkspaceTab() {
  const api = useApi();
  const { isAdmin, canWrite } = useRights();
  const query = useQuery({
    ...dataOf(api, getWorkspace),
  });
  if (query.isPending) return <LoadingState label={words.loading} />;
  if (!query.data) return <ErrorState error={query.error} onRetry={() => void query.refetch()} />;
  const { tenantId, rateLimit } = query.data;
  return (
    <div className={classes.cards}>
      <Card title={t.workspace}>
        {isAdmin && canWrite ? <WorkspaceForm workspace={query.data} /> : <WorkspaceFacts workspace={query.data} />}
      </Card>
      <Card title={t.budget}>
        <FactList
          facts={[
            { name: t.requests, value: t.budgetValue(whole(rateLimit)) },
            { name: t.tenantId, value: t.number(tenantId) },
          ]}
        />
        <Text c="dimmed" mt="xs">
          {t.budgetNote}
        </Text>
      </Card>
    </div>
  );
}

function WorkspaceFacts({ workspace }: { workspace: Workspace }) {
  return (
    <>
      <FactList
        facts={[
          { name: t.name, value: workspace.name },
          { name: t.timeZone, value: workspace.timeZone ?? t.noTimeZone },
        ]}
      />
      <Text c="dimmed" mt="xs">
        {t.askAdmin}
      </Text>
    </>
  );
}

function WorkspaceForm({ workspace }: { workspace: Workspace }) {
  const api = useApi();
  const queries = useQueryClient();
  const form = useTyped('workspace', { name: workspace.name, timeZone: workspace.timeZone });
  const { name, timeZone } = form.values;
  const [isMissing, setMissing] = useState(false);
  const save = useMutation({
    mutationFn: () => api.call(updateWorkspace, { body: { name: name.trim(), timeZone } }),
    onSuccess: ({ data }) => {
      queries.setQueryData(dataOf(api, getWorkspace).queryKey, data);
      form.forget();
      void queries.invalidateQueries(about('me'));
      notifications.show({ message: t.saved });
    },
  });
  const faults = faultsOf(save.error, { name: t.name, timeZone: t.timeZone });
  const isDirty = name.trim() !== workspace.name || timeZone !== workspace.timeZone;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setMissing(name.trim() === '');
    if (name.trim() !== '') save.mutate();
  };
  return (
    <form onSubmit={submit} noValidate className={classes.form}>
      {isDirty && <TypedNotice form={form} />}
      <TextInput
        label={t.name}
        required
        maxLength={255}
        value={name}
        error={isMissing ? t.enterName : faults.name}
        onChange={(event) => form.set({ name: event.currentTarget.value })}
      />
      <Select
        label={t.timeZone}
        description={t.timeZoneNote}
        placeholder={t.noTimeZone}
        data={zonesWith(workspace.timeZone)}
        value={timeZone}
        error={faults.timeZone}
        onChange={(next) => form.set({ timeZone: next })}
        searchable
        clearable
        clearButtonProps={{ 'aria-label': t.noTimeZone }}
        limit={200}
      />
      {faults.form && (
        <Text c="var(--bad)" role="alert">
          {faults.form}
        </Text>
      )}
      <div>
        <Button type="submit" disabled={!isDirty} loading={save.isPending}>
          {t.save}
        </Button>
      </div>
    </form>
  );
}

/** The zones that this browser knows; that of the workspace even where it is not among them. */
function zonesWith(own: string | null): string[] {
  const zones = Intl.supportedValuesOf('timeZone');
  return own === null || zones.includes(own) ? zones : [own, ...zones];
}
