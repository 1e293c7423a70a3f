import { Select, Text, TextInput } from '@mantine/core';
import { type DataValue, getWorkspace, updateWorkspace } from '@rapport/contract';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { dataOf } from '../../../api/ask.ts';
import { useRights } from '../../../api/session/rights.ts';
import { useApi } from '../../../api/session/session.tsx';
import { Card } from '../../../shared/card.tsx';
import { ErrorState } from '../../../shared/error-state.tsx';
import { FactList } from '../../../shared/facts/fact-list.tsx';
import { wanted } from '../../../shared/form/faults.ts';
import { FormBody } from '../../../shared/form/form-body.tsx';
import { useForm } from '../../../shared/form/use-form.ts';
import { LoadingState } from '../../../shared/loading-state.tsx';
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
      <Card title={t.details}>
        <FactList
          facts={[
            { name: t.tenantId, value: tenantId },
            { name: t.budget, value: t.budgetValue(rateLimit) },
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
  const form = useForm({
    draft: 'workspace',
    initial: { name: workspace.name, timeZone: workspace.timeZone },
    labels: { name: t.name, timeZone: t.timeZone },
    check: ({ name }) => ({ name: wanted(name, t.enterName) }),
    send: async ({ name, timeZone }) => {
      const { data } = await api.call(updateWorkspace, { body: { name: name.trim(), timeZone } });
      queries.setQueryData(dataOf(api, getWorkspace).queryKey, data);
    },
    refresh: ['me'],
    said: t.saved,
  });
  const { name, timeZone } = form.values;
  const isDirty = name.trim() !== workspace.name || timeZone !== workspace.timeZone;
  return (
    <div className={classes.form}>
      <FormBody form={{ ...form, isRestored: form.isRestored && isDirty }} submit={t.save} isDisabled={!isDirty}>
        <TextInput {...form.text('name')} required maxLength={255} />
        <Select
          {...form.choice('timeZone')}
          description={t.timeZoneNote}
          placeholder={t.noTimeZone}
          data={zonesWith(workspace.timeZone)}
          onChange={(next) => form.set({ timeZone: next })}
          searchable
          clearable
          clearButtonProps={{ 'aria-label': t.noTimeZone }}
          limit={200}
        />
      </FormBody>
    </div>
  );
}

/** The time zones that this browser knows, and that of the workspace even if it is not among them. */
function zonesWith(own: string | null): string[] {
  const zones = Intl.supportedValuesOf('timeZone');
  return own === null || zones.includes(own) ? zones : [own, ...zones];
}
