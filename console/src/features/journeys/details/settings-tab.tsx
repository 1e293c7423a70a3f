// The name and folder of a journey, its webhooks, and its deletion.
import { Anchor, Button, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { Link, useLocation } from 'wouter';
import { useRights } from '../../../api/session/rights.ts';
import { useApi } from '../../../api/session/session.tsx';
import { Card } from '../../../shared/card.tsx';
import { CopyButton } from '../../../shared/copy-button.tsx';
import { ErrorState } from '../../../shared/error-state.tsx';
import { CopyIcon, TrashIcon } from '../../../shared/icons.tsx';
import { LoadingState } from '../../../shared/loading-state.tsx';
import { Moment } from '../../../shared/moment.tsx';
import { ToneBadge } from '../../../shared/tone-badge.tsx';
import { t } from '../../../texts/journeys.ts';
import { t as words } from '../../../texts/shared.ts';
import type { JourneyRecord } from '../journey-api.ts';
import { useDuplicate } from '../list/use-duplicate.ts';
import { readDefinition } from '../model/read.ts';
import { webhooksQuery } from '../tab-queries.ts';
import { DeleteJourney } from './delete-journey.tsx';
import { DetailsForm } from './details-form.tsx';
import classes from './settings-tab.module.css';

export default function SettingsTab({ journey }: { journey: JourneyRecord }) {
  const { canWrite } = useRights();
  return (
    <div className={classes.columns}>
      <Card title={t.detailsTitle}>
        {!canWrite && (
          <Text c="dimmed" mb="sm">
            {words.readOnly}
          </Text>
        )}
        <DetailsForm key={journey.journeyId} journey={journey} isReadOnly={!canWrite} said={t.saved} />
      </Card>
      <div className={classes.stack}>
        <About journey={journey} />
        <Webhooks journey={journey} />
        {canWrite && <Ending journey={journey} />}
      </div>
    </div>
  );
}

function About({
  journey: { journeyId, type, createdAt, createdBy, updatedAt, updatedBy },
}: {
  journey: JourneyRecord;
}) {
  return (
    <Card title={t.about}>
      <dl className={classes.facts}>
        <dt>{t.id}</dt>
        <dd>
          <code>{journeyId}</code> <CopyButton text={journeyId} />
        </dd>
        <dt>{t.type}</dt>
        <dd>{t.types[type]}</dd>
        <dt>{t.created}</dt>
        <dd>
          <span>
            <Moment at={createdAt} /> {t.by(createdBy.name)}
          </span>
        </dd>
        <dt>{t.changed}</dt>
        <dd>
          <span>
            <Moment at={updatedAt} /> {updatedBy && t.by(updatedBy.name)}
          </span>
        </dd>
      </dl>
    </Card>
  );
}

/** Webhooks for journey events, and the addresses that its own steps call. */
function Webhooks({ journey }: { journey: JourneyRecord }) {
  const api = useApi();
  const query = useQuery(webhooksQuery(api));
  const told = (query.data?.rows ?? []).filter(({ events }) => events.some((event) => event.startsWith('journey.')));
  const read = readDefinition(journey.definition);
  const called =
    'problem' in read ? [] : read.definition.steps.flatMap((step) => (step.type === 'webhook' ? [step] : []));
  return (
    <Card title={t.webhooks}>
      <Text c="dimmed" size="sm" mb="xs">
        {t.webhooksText}
      </Text>
      {query.error && <ErrorState error={query.error} onRetry={() => void query.refetch()} compact />}
      {query.isPending && <LoadingState label={t.webhooks} rows={2} />}
      {query.data && told.length === 0 && (
        <Text>
          {t.noWebhooks}{' '}
          <Anchor component={Link} href="/webhooks" inherit>
            {t.addWebhook}
          </Anchor>
        </Text>
      )}
      <ul className={classes.hooks}>
        {told.map(({ webhookId, url, state }) => (
          <li key={webhookId}>
            <Anchor component={Link} href={`/webhooks/${webhookId}`} inherit>
              {url}
            </Anchor>
            <ToneBadge tone={state === 'failing' ? 'bad' : 'good'}>
              {state === 'failing' ? t.failing : t.working}
            </ToneBadge>
          </li>
        ))}
      </ul>
      {called.length > 0 && (
        <>
          <Text fw={500} mt="sm">
            {t.webhookSteps}
          </Text>
          <ul className={classes.hooks}>
            {called.map(({ id, url }) => (
              <li key={id}>
                <span>{url ?? words.empty}</span> <code>{id}</code>
              </li>
            ))}
          </ul>
        </>
      )}
    </Card>
  );
}

function Ending({ journey }: { journey: JourneyRecord }) {
  const [, navigate] = useLocation();
  const [deleting, dialog] = useDisclosure(false);
  const duplicate = useDuplicate(journey.journeyId);
  const isActive = journey.status === 'active';
  return (
    <Card>
      <div className={classes.ending}>
        <Button
          variant="default"
          leftSection={<CopyIcon />}
          loading={duplicate.isPending}
          onClick={() => duplicate.mutate()}
        >
          {t.duplicate}
        </Button>
        <Button
          variant="default"
          {...(isActive ? { disabled: true } : { c: 'var(--bad)' })}
          leftSection={<TrashIcon />}
          onClick={dialog.open}
        >
          {t.deleteJourney}
        </Button>
      </div>
      {isActive && (
        <Text c="dimmed" size="sm" mt="sm">
          {t.stopFirst}
        </Text>
      )}
      {deleting && <DeleteJourney journey={journey} onClose={dialog.close} onDeleted={() => navigate('/journeys')} />}
    </Card>
  );
}
