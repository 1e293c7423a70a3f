// One enrolment: where it stands, and everything that happened.
import { Button } from '@mantine/core';
import { getEnrolment, getJourney, listMessages } from '@rapport/contract';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'wouter';
import { answerOf, dataOf, pageOf } from '../api/ask.ts';
import { useApi } from '../api/session/session.tsx';
import { useAssets } from '../features/journeys/editing/use-assets.ts';
import { State } from '../features/journeys/enrolments/enrolment-columns.tsx';
import { EnrolmentFacts } from '../features/journeys/enrolments/enrolment-facts.tsx';
import { itemsOf } from '../features/journeys/enrolments/enrolment-timeline.tsx';
import { isDue, MoveButtons } from '../features/journeys/enrolments/move-by-hand.tsx';
import { useStepNames } from '../features/journeys/use-step-names.ts';
import { BackLink } from '../shared/back-link.tsx';
import { Card } from '../shared/card.tsx';
import { EmptyState } from '../shared/empty-state.tsx';
import { ErrorState } from '../shared/error-state.tsx';
import { PersonIcon, QuestionIcon } from '../shared/icons.tsx';
import { LoadingState } from '../shared/loading-state.tsx';
import { Page } from '../shared/page.tsx';
import type { PageParams } from '../shared/page-params.ts';
import { Timeline } from '../shared/timeline/timeline.tsx';
import { t } from '../texts/journeys.ts';
import classes from './enrolment-page.module.css';

export default function EnrolmentPage({ params: { id = '', enrolmentId = '' } }: PageParams) {
  const api = useApi();
  const { names } = useAssets();
  const journey = useQuery(answerOf(api, getJourney, { params: { id } }));
  const enrolment = useQuery({
    ...dataOf(api, getEnrolment, { params: { id, enrolmentId }, query: { include: 'email' } }),
    // Who is due goes on within moments.
    refetchInterval: ({ state }) => (state.data && isDue(state.data) && !journey.data?.data.isPaused ? 2000 : false),
  });
  const { data } = enrolment;
  const nameOf = (id: string) =>
    names.lists?.get(id) ??
    names.emails?.get(id) ??
    names.topics?.get(id) ??
    names.forms?.get(id) ??
    names.journeys?.get(id);
  const namesOf = useStepNames(id, journey.data?.data.definition ?? null, names);
  const steps = data ? namesOf(data.version) : new Map<string, string>();
  const { data: messages } = useQuery({
    ...pageOf(api, listMessages, { query: { enrolmentId, pageSize: 200 } }),
    select: ({ rows }) => rows,
  });
  return (
    <Page
      title={data ? (data.email ?? t.erased) : t.enrolment}
      above={<BackLink href={`/journeys/${id}/enrolments`} label={journey.data?.data.name ?? t.journey} />}
      lead={data && <State enrolment={data} />}
      actions={
        data?.contactId && (
          <>
            <MoveButtons journeyId={id} definition={journey.data?.data.definition ?? null} person={data} />
            <Actions contactId={data.contactId} journeyId={id} />
          </>
        )
      }
    >
      {!data && enrolment.error && <ErrorState error={enrolment.error} onRetry={() => void enrolment.refetch()} />}
      {enrolment.isPending && <LoadingState label={t.enrolment} />}
      {data && (
        <div className={classes.columns}>
          <Card title={t.timeline}>
            <Timeline
              label={t.timeline}
              items={itemsOf(data.timeline, { steps, nameOf, messages: messages ?? [] })}
              empty={<EmptyState title={t.noTimeline} text={t.noTimelineText} />}
            />
          </Card>
          <Card title={t.facts}>
            <EnrolmentFacts enrolment={data} steps={steps} journeyId={id} />
          </Card>
        </div>
      )}
    </Page>
  );
}

function Actions({ contactId, journeyId }: { contactId: string; journeyId: string }) {
  return (
    <>
      <Button component={Link} href={`/contacts/${contactId}`} variant="default" leftSection={<PersonIcon />}>
        {t.openContact}
      </Button>
      <Button
        component={Link}
        href={`/why?contact=${contactId}&journey=${journeyId}`}
        variant="default"
        leftSection={<QuestionIcon />}
      >
        {t.why}
      </Button>
    </>
  );
}
