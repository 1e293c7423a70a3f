// @vitest-environment happy-dom
import { screen } from '@testing-library/react';
import { expect, it } from 'vitest';
import { scriptService, stage } from '../../../test/stage.tsx';
import type { Send } from './send-api.ts';
import { SendProgress } from './send-progress.tsx';

scriptService();

const none = { waiting: 0, sent: 0, kept: 0, opened: 0, clicked: 0, bounced: 0, unsubscribed: 0 };
const send = {
  ...{ broadcastId: 's1', name: 'News', status: 'cancelled', emailId: 'e1', abTest: null, revision: 1, total: null },
  ...{ sendsAt: null, startedAt: null, endedAt: new Date().toISOString(), when: { kind: 'now' } },
  progress: { ...none, failed: 0, skipped: 0, notReached: 0, skippedBy: [] },
} as unknown as Send;

it('says of a send that was canceled before it began that it never started', () => {
  stage(<SendProgress send={send} />);
  expect(screen.getByText('It never started.')).toBeDefined();
  expect(screen.getByText(/^Canceled/)).toBeDefined();
  expect(screen.queryByText(/Ended|yet/)).toBeNull();
});
