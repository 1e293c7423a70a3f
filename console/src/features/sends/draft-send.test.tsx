// @vitest-environment happy-dom
import { screen } from '@testing-library/react';
import { expect, it } from 'vitest';
import { page, scriptService, stage } from '../../../test/stage.tsx';
import { DraftSend } from './draft-send.tsx';
import type { Send, When } from './send-api.ts';

const service = scriptService();

async function ask(when: When) {
  service.answers['GET /v2/emails'] = page([]);
  service.answers['GET /v2/lists'] = page([]);
  const send = {
    ...{
      broadcastId: 's1',
      name: 'News',
      status: 'draft',
      emailId: 'e1',
      abTest: null,
      revision: 1,
      total: null,
      when,
    },
    audience: { staticListId: 'l1' },
  } as unknown as Send;
  const { user } = stage(<DraftSend send={send} reach={undefined} isReachFailed={false} canWrite onTest={() => {}} />);
  await user.click(screen.getByRole('button', { name: when.kind === 'now' ? 'Send' : 'Schedule' }));
  return screen.findByRole('dialog');
}

it('asks whether to schedule, and says when', async () => {
  const at = new Date(2099, 0, 2, 9, 30).toISOString();
  const dialog = await ask({ kind: 'at', at });
  expect(dialog.textContent).toMatch(/^Schedule “News”\?/);
  expect(dialog.textContent).toMatch(/It goes out on 2 Jan 2099, 09:30 \(.+\)\./);
  expect(screen.getAllByRole('button', { name: 'Schedule' }).length).toBeGreaterThan(0);
});

it('says that everyone gets it by their own clock', async () => {
  const dialog = await ask({ kind: 'localTime', at: '2099-01-02T09:30' });
  expect(dialog.textContent).toContain('2 Jan 2099, 09:30 in each person’s time zone.');
});

it('asks whether to send what leaves at once', async () => {
  const dialog = await ask({ kind: 'now' });
  expect(dialog.textContent).toMatch(/^Send “News”\?It goes out right away\./);
});
