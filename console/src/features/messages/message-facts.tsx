import { getEnrolment } from '@rapport/contract';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { dataOf } from '../../api/ask.ts';
import { useApi } from '../../api/session/session.tsx';
import { Card } from '../../shared/card.tsx';
import { isKept } from '../../shared/messages/is-kept.ts';
import { Moment } from '../../shared/moment.tsx';
import { type Names, useSendNames } from '../../shared/names/use-names.ts';
import { languageName } from '../../texts/languages.ts';
import { kept, kinds, t } from '../../texts/messages.ts';
import classes from './message.module.css';
import type { Message } from './message.ts';

interface FactsProps {
  message: Message;
  emails: Names;
  journeys: Names;
}

/** Recipient, email, source and times; unknown facts take no line. */
export function MessageFacts({ message, emails, journeys }: FactsProps) {
  const { contactId, email, emailId, journeyId, enrolmentId, stepId, version } = message;
  const stepName = useStepName(message);
  const sends = useSendNames();
  return (
    <Card title={t.facts}>
      <dl className={classes.facts}>
        <Fact name={t.to}>
          {contactId ? <Link href={`/contacts/${contactId}`}>{email}</Link> : (email ?? t.erased)}
        </Fact>
        <Fact name={t.email}>
          <Link href={`/emails/${emailId}`}>{emails.nameOf(emailId) ?? emailId}</Link>
        </Fact>
        <Fact name={t.kind}>{kinds[message.kind]}</Fact>
        {journeyId && (
          <Fact name={message.kind === 'broadcast' ? kinds.broadcast : t.byJourney}>
            {message.kind === 'broadcast' ? (
              <Link href={`/sends/${journeyId}`}>{sends.nameOf(journeyId) ?? journeyId}</Link>
            ) : (
              <Link href={enrolmentId ? `/journeys/${journeyId}/enrolments/${enrolmentId}` : `/journeys/${journeyId}`}>
                {journeys.nameOf(journeyId) ?? journeyId}
              </Link>
            )}
          </Fact>
        )}
        {stepId && message.kind !== 'broadcast' && <Fact name={t.journeyStep}>{stepName ?? stepId}</Fact>}
        {version && <Fact name={t.version}>{version === 'default' ? t.defaultVersion : t.personalized}</Fact>}
        {message.language && <Fact name={t.language}>{languageName(message.language)}</Fact>}
        <When name={t.queued} at={message.queuedAt} />
        {message.state === 'queued' && <When name={t.due} at={message.dueAt} />}
        <When name={isKept(message) ? kept.label : t.sent} at={message.sentAt} />
        <When name={t.delivered} at={message.deliveredAt} />
        <When name={t.opened} at={message.firstOpenedAt} />
        <When name={t.clicked} at={message.firstClickedAt} />
      </dl>
    </Card>
  );
}

/** What the step is called in the version of the journey that sent the message. */
function useStepName({ journeyId, enrolmentId, stepId }: Message): string | undefined {
  const params = { id: journeyId ?? '', enrolmentId: enrolmentId ?? '' };
  const { data } = useQuery({
    ...dataOf(useApi(), getEnrolment, { params }),
    enabled: journeyId !== null && enrolmentId !== null && stepId !== null,
    select: ({ timeline }) => timeline.find((line) => line.stepId === stepId)?.stepName,
  });
  return data;
}

function When({ name, at }: { name: string; at: string | null }) {
  return at ? (
    <Fact name={name}>
      <Moment at={at} />
    </Fact>
  ) : null;
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}
