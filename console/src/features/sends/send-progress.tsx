// A send on its way or after it: how far it is, and what became of each message.
import { Alert, Anchor, Group, Progress, Stack, Text } from '@mantine/core';
import { Link } from 'wouter';
import { Card } from '../../shared/card.tsx';
import { Moment } from '../../shared/moment.tsx';
import { reasons } from '../../texts/messages.ts';
import { whole } from '../../texts/numbers.ts';
import { t } from '../../texts/sends.ts';
import { AbResult } from './ab-result.tsx';
import { Figures } from './reach-card.tsx';
import type { Send } from './send-api.ts';
import classes from './sends.module.css';

export function SendProgress({ send }: { send: Send }) {
  const { status, total, progress, broadcastId, emailId } = send;
  const done = total === null ? 0 : total - progress.waiting;
  return (
    <Stack gap="lg" className={classes.narrow}>
      {status === 'paused' && <Alert color="yellow">{t.pausedText}</Alert>}
      <Card title={t.progress}>
        <Stack gap="md">
          <Times send={send} />
          {total === null ? (
            <Text>{status === 'cancelled' ? t.neverBegun : t.notBegun}</Text>
          ) : (
            <div>
              <Progress value={total === 0 ? 100 : (done / total) * 100} aria-label={t.progress} size="lg" />
              <Text mt={6} role="status">
                {t.progressOf(done, total)}
              </Text>
            </div>
          )}
          {total !== null && <Figures figures={figuresOf(send)} />}
          {progress.kept > 0 && <Alert color="yellow">{t.kept(progress.kept)}</Alert>}
          {progress.skippedBy.length > 0 && <Skipped send={send} />}
          <Group gap="md">
            <Anchor component={Link} href={`/messages?journey=${broadcastId}`} underline="always">
              {t.messages}
            </Anchor>
            {emailId && (
              <Anchor component={Link} href={`/emails/${emailId}/statistics`} underline="always">
                {t.report}
              </Anchor>
            )}
          </Group>
        </Stack>
      </Card>
      {send.abTest && <AbResult send={send} test={send.abTest} />}
    </Stack>
  );
}

function Times({ send: { status, sendsAt, startedAt, endedAt } }: { send: Send }) {
  const times = [
    { label: t.begins, at: sendsAt },
    { label: t.began, at: startedAt },
    { label: status === 'cancelled' ? t.canceledAt : t.ended, at: endedAt },
  ];
  return (
    <Group gap="lg">
      {times.map(
        ({ label, at }) =>
          at !== null && (
            <span key={label}>
              {label} <Moment at={at} isAhead={label === t.begins} />
            </span>
          ),
      )}
    </Group>
  );
}

/** The main ones always; the others if there are any. */
function figuresOf({ progress }: Send) {
  const { sent, waiting, opened, clicked, bounced, unsubscribed, failed, skipped, notReached } = progress;
  const main = [
    { label: t.sent, value: sent },
    { label: t.waiting, value: waiting },
    { label: t.openedCount, value: opened },
    { label: t.clickedCount, value: clicked },
  ];
  const others = [
    { label: t.skipped, value: skipped },
    { label: t.bounced, value: bounced },
    { label: t.failed, value: failed },
    { label: t.unsubscribed, value: unsubscribed },
    { label: t.notReached, value: notReached },
  ];
  return [...main, ...others.filter(({ value }) => value > 0)];
}

function Skipped({ send: { progress } }: { send: Send }) {
  const say = (reason: string) => (reason === 'journeyStopped' ? t.stopped : (reasons[reason] ?? reason));
  return (
    <div>
      <Text fw={600}>{t.why}</Text>
      <ul className={classes.reasons}>
        {progress.skippedBy.map(({ reason, count }) => (
          <li key={reason}>
            {whole(count)} · {say(reason)}
          </li>
        ))}
      </ul>
    </div>
  );
}
