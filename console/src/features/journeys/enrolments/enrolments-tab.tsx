// The contacts that are or were in a journey.
import { Button, Select } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { useRights } from '../../../api/session/rights.ts';
import { useApi } from '../../../api/session/session.tsx';
import { EmptyState } from '../../../shared/empty-state.tsx';
import { PeopleIcon, PlusIcon } from '../../../shared/icons.tsx';
import { DataTable, pagedQuery } from '../../../shared/table/data-table.tsx';
import toolbar from '../../../shared/toolbar.module.css';
import { Toolbar } from '../../../shared/toolbar.tsx';
import { usePageParams } from '../../../shared/use-page-params.ts';
import { t } from '../../../texts/journeys.ts';
import { useAssets } from '../editing/use-assets.ts';
import type { JourneyRecord } from '../journey-api.ts';
import { stepNamesOf } from '../model/step-names.ts';
import { enrolmentStates, enrolmentsAsked, enrolmentsQuery } from '../tab-queries.ts';
import { useStepNames } from '../use-step-names.ts';
import { ContactSelect } from './contact-select.tsx';
import { EnrolDialog } from './enrol-dialog.tsx';
import { columnsOf } from './enrolment-columns.tsx';
import { isDue, MoveMenu } from './move-by-hand.tsx';

export default function EnrolmentsTab({ journey }: { journey: JourneyRecord }) {
  const api = useApi();
  const { canWrite } = useRights();
  const { names } = useAssets();
  const { param, setParam, clearing, pageNumber, setPage } = usePageParams();
  const [enrolling, dialog] = useDisclosure(false);
  const { journeyId } = journey;
  const asked = enrolmentsAsked(param, pageNumber);
  const { state, stepId, contactId } = asked;
  const query = useQuery({
    ...enrolmentsQuery(api, journeyId, asked),
    // Contacts of a stopped journey leave one after the other; those who are due go on within moments.
    refetchInterval: ({ state: { data } }) =>
      data?.rows.some((row) => (journey.status === 'active' ? isDue(row) && !journey.isPaused : row.state === 'active'))
        ? 2000
        : false,
    ...pagedQuery,
  });
  const namesOf = useStepNames(journeyId, journey.definition, names);
  const steps = stepNamesOf(journey.definition, names);
  const known = stepId === undefined || steps.has(stepId) ? [] : [{ value: stepId, label: stepId }];
  const mayEnrol = canWrite && journey.type === 'trigger' && journey.status === 'active';
  const onClear = clearing('state', 'step', 'contact');
  return (
    <>
      <Toolbar
        onClear={onClear}
        end={
          mayEnrol && (
            <Button leftSection={<PlusIcon />} onClick={dialog.open} data-shortcut="create">
              {t.enrol}
            </Button>
          )
        }
      >
        <ContactSelect
          ariaLabel={t.contact}
          value={contactId}
          knownAs={query.data?.rows[0]?.email ?? undefined}
          onChange={(value) => setParam('contact', value)}
        />
        <Select
          aria-label={t.state}
          placeholder={t.anyState}
          w={150}
          className={toolbar.fill ?? ''}
          data={enrolmentStates.map((value) => ({ value, label: t.states[value] }))}
          value={state ?? null}
          onChange={(value) => setParam('state', value ?? undefined)}
          clearable
          clearButtonProps={{ 'aria-label': t.anyState }}
        />
        <Select
          aria-label={t.step}
          placeholder={t.anyStep}
          w={220}
          className={toolbar.fill ?? ''}
          data={[...known, ...[...steps].map(([value, label]) => ({ value, label }))]}
          value={stepId ?? null}
          onChange={(value) => setParam('step', value ?? undefined)}
          searchable
          clearable
          clearButtonProps={{ 'aria-label': t.anyStep }}
        />
      </Toolbar>
      <DataTable
        query={query}
        onPage={setPage}
        label={t.enrolments}
        columns={columnsOf(namesOf, (person) => (
          <MoveMenu journeyId={journeyId} definition={journey.definition} person={person} />
        ))}
        rowKey={({ enrolmentId }) => enrolmentId}
        href={({ enrolmentId }) => `/journeys/${journeyId}/enrolments/${enrolmentId}`}
        empty={
          onClear ? (
            <EmptyState title={t.noEnrolmentMatch} text={t.noEnrolmentMatchText} />
          ) : (
            <EmptyState icon={<PeopleIcon size={20} />} title={t.noEnrolments} text={t.noEnrolmentsText} />
          )
        }
      />
      {enrolling && <EnrolDialog journeyId={journeyId} onClose={dialog.close} />}
    </>
  );
}
