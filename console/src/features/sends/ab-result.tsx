// How the two emails of a test have done, and which one won.
import { Stack, Text } from '@mantine/core';
import { getJourneyStats } from '@rapport/contract';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { dataOf } from '../../api/ask.ts';
import { allEmails } from '../../api/everything.ts';
import { useApi } from '../../api/session/session.tsx';
import { Card } from '../../shared/card.tsx';
import { t } from '../../texts/sends.ts';
import { Figures } from './reach-card.tsx';
import type { AbTest, Send } from './send-api.ts';

const everyMs = 5000;

export function AbResult({ send, test }: { send: Send; test: AbTest }) {
  const { broadcastId: id } = send;
  const [openedAt] = useState(() => Date.now());
  const api = useApi();
  const { data: emails } = useQuery(allEmails(api));
  const { data } = useQuery({
    ...dataOf(api, getJourneyStats, { params: { id } }),
    // A test of everybody is decided after the last message has left.
    refetchInterval: ({ state }) => (isOpen(abSplitOf(state.data), send, test, Date.now()) ? everyMs : false),
  });
  const split = abSplitOf(data);
  const nameOf = (emailId: string | null) => emails?.find((email) => email.emailId === emailId)?.name ?? '';
  return (
    <Card title={t.ab}>
      <Stack gap="md">
        <Text>{sayState(split, send, test, openedAt)}</Text>
        {split?.arms.map(({ name, sent, uniqueOpened, uniqueClicked }) => (
          <section key={name} aria-label={name}>
            <Text fw={600}>
              {name} · {nameOf(name === 'A' ? send.emailId : test.emailId)}
            </Text>
            <Figures
              figures={[
                { label: t.sent, value: sent },
                { label: t.openedCount, value: uniqueOpened },
                { label: t.clickedCount, value: uniqueClicked },
              ]}
            />
          </section>
        ))}
      </Stack>
    </Card>
  );
}

interface Split {
  winner: string | null;
  decision: { isSignificant: boolean | null } | null;
}

function abSplitOf<Of extends { stepId: string }>(stats: { splits: readonly Of[] } | undefined): Of | undefined {
  return stats?.splits.find(({ stepId }) => stepId === 'ab');
}

// A winner is known this soon after the hours have passed.
const lateMs = 120_000;

/** Whether there is no winner, and there may be one later. */
function isOpen(
  split: Split | undefined,
  { status, startedAt }: Pick<Send, 'status' | 'startedAt'>,
  { hours }: Pick<AbTest, 'hours'>,
  now: number,
): boolean {
  if (split?.winner || status === 'cancelled') return false;
  return status !== 'sent' || startedAt === null || now < Date.parse(startedAt) + hours * 3_600_000 + lateMs;
}

export function sayState(
  split: Split | undefined,
  send: Pick<Send, 'status' | 'startedAt'>,
  test: Pick<AbTest, 'hours'>,
  now: number,
): string {
  if (isOpen(split, send, test, now)) return t.abRunning(test.hours);
  if (!split?.winner) return send.status === 'cancelled' ? t.abCancelled : t.abNoWinner;
  return (split.decision?.isSignificant ? t.abSurely : t.abUnsurely)(split.winner);
}
