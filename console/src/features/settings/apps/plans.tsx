import { Anchor, Button, Stack } from '@mantine/core';
import { type AgentAction, type DataValue, listAgentPlans, pauseJourney } from '@rapport/contract';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'wouter';
import { pageOf } from '../../../api/ask.ts';
import { useRights } from '../../../api/session/rights.ts';
import { useApi } from '../../../api/session/session.tsx';
import { EmptyState } from '../../../shared/empty-state.tsx';
import { ConfirmDialog } from '../../../shared/form/confirm-dialog.tsx';
import { LogIcon } from '../../../shared/icons.tsx';
import { Moment } from '../../../shared/moment.tsx';
import type { Column } from '../../../shared/table/column.ts';
import { DataTable, pagedQuery } from '../../../shared/table/data-table.tsx';
import { ToneBadge } from '../../../shared/tone-badge.tsx';
import { whole } from '../../../texts/numbers.ts';
import { plans as t } from '../../../texts/settings-access.ts';

type Plan = DataValue<typeof listAgentPlans>;

/** What a pause stops. */
const isPausable: Partial<Record<AgentAction, true>> = { activate_journey: true, resume_journey: true, enrol: true };

/** What agents planned for people and what they did, with what can still be undone. */
export function Plans() {
  const api = useApi();
  const { canWrite } = useRights();
  const [pageNumber, setPage] = useState(1);
  const [pausing, setPausing] = useState<string>();
  const query = useQuery({ ...pageOf(api, listAgentPlans, { query: { pageNumber } }), ...pagedQuery });
  const actions: Column<Plan> = {
    id: 'actions',
    title: t.actions,
    isUntitled: true,
    cell: ({ action, state, journeyId, emailId }) => (
      <Stack gap={4} align="flex-start">
        {journeyId && (
          <Anchor component={Link} href={`/journeys/${journeyId}`}>
            {t.journey}
          </Anchor>
        )}
        {!journeyId && emailId && (
          <Anchor component={Link} href={`/emails/${emailId}`}>
            {t.email}
          </Anchor>
        )}
        {canWrite && journeyId && state === 'applied' && isPausable[action] && (
          <Button variant="default" size="compact-sm" onClick={() => setPausing(journeyId)}>
            {t.pause}
          </Button>
        )}
      </Stack>
    ),
  };
  return (
    <>
      <DataTable
        label={t.list}
        query={query}
        onPage={setPage}
        columns={[...columns, actions]}
        rowKey={({ planId }) => planId}
        empty={<EmptyState icon={<LogIcon size={20} />} title={t.none} text={t.noneText} />}
      />
      {pausing !== undefined && (
        <ConfirmDialog
          title={t.pauseTitle}
          text={t.pauseText}
          confirm={t.pause}
          act={() => api.call(pauseJourney, { params: { id: pausing } })}
          refresh={['journeys', 'agent-plans']}
          said={t.paused}
          onClose={() => setPausing(undefined)}
        />
      )}
    </>
  );
}

const columns: Column<Plan>[] = [
  { id: 'when', title: t.when, cell: ({ createdAt }) => <Moment at={createdAt} /> },
  { id: 'what', title: t.what, cell: ({ sentence }) => sentence },
  { id: 'reach', title: t.reach, isNumber: true, cell: ({ reach }) => whole(reach) },
  {
    id: 'state',
    title: t.state,
    cell: ({ state }) => <ToneBadge tone={t.states[state].tone}>{t.states[state].label}</ToneBadge>,
  },
  {
    id: 'by',
    title: t.by,
    cell: ({ clientId, appName, accountName }) => t.byFor(appName ?? (clientId ? t.goneApp : t.ownToken), accountName),
  },
];
