// Every definition that was ever active, and what changed between two of them.
import { Group } from '@mantine/core';
import type { DataValue, listJourneyVersions } from '@rapport/contract';
import { useQuery } from '@tanstack/react-query';
import { useApi } from '../../../api/session/session.tsx';
import { EmptyState } from '../../../shared/empty-state.tsx';
import { UndoIcon } from '../../../shared/icons.tsx';
import { Moment } from '../../../shared/moment.tsx';
import type { Column } from '../../../shared/table/column.ts';
import { DataTable } from '../../../shared/table/data-table.tsx';
import { ToneBadge } from '../../../shared/tone-badge.tsx';
import { t } from '../../../texts/journeys.ts';
import { whole } from '../../../texts/numbers.ts';
import type { JourneyRecord } from '../journey-api.ts';
import { versionsQuery } from '../tab-queries.ts';
import { CompareVersions, type NamedDefinition } from './compare-versions.tsx';

type Version = DataValue<typeof listJourneyVersions>;

function columnsOf(live: number | null): Column<Version>[] {
  return [
    {
      ...{ id: 'version', title: t.version },
      cell: ({ version }) => (
        <Group gap="xs" display="inline-flex">
          {t.versionNumber(version)}
          {version === live && <ToneBadge tone="good">{t.live}</ToneBadge>}
        </Group>
      ),
    },
    { id: 'activated', title: t.activatedAt, cell: ({ activatedAt }) => <Moment at={activatedAt} /> },
    { id: 'inProgress', title: t.onTheWay, isNumber: true, cell: ({ inProgress }) => whole(inProgress) },
  ];
}

export default function VersionsTab({ journey }: { journey: JourneyRecord }) {
  const api = useApi();
  const { journeyId, version: live, status } = journey;
  const versions = useQuery(versionsQuery(api, journeyId));
  const choices = choicesOf(versions.data ?? [], journey);
  return (
    <>
      {choices.length > 1 && <CompareVersions choices={choices} />}
      <DataTable
        rows={versions}
        isCounted
        label={t.versions}
        columns={columnsOf(status === 'active' ? live : null)}
        rowKey={({ version }) => String(version)}
        empty={<EmptyState icon={<UndoIcon size={20} />} title={t.noVersions} text={t.noVersionsText} />}
      />
    </>
  );
}

/** Newest first; the saved definition comes first if it is not one of them. */
function choicesOf(versions: readonly Version[], { definition }: JourneyRecord): NamedDefinition[] {
  const named = versions.map(({ version, definition: own }) => ({
    id: String(version),
    name: t.versionNumber(version),
    definition: own,
  }));
  if (versions.length === 0) return [];
  const isNew = JSON.stringify(versions[0]?.definition) !== JSON.stringify(definition);
  return isNew && definition ? [{ id: 'saved', name: t.savedNow, definition }, ...named] : named;
}
