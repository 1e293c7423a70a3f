// @vitest-environment happy-dom
import { getBroadcast } from '@rapport/contract';
import { useQuery } from '@tanstack/react-query';
import { screen } from '@testing-library/react';
import { expect, it, vi } from 'vitest';
import { envelope, page, refusal, scriptService, stage } from '../../../test/stage.tsx';
import { dataOf } from '../../api/ask.ts';
import { useApi } from '../../api/session/session.tsx';
import { t } from '../../texts/sends.ts';
import { SendActions } from './send-actions.tsx';
import type { Send } from './send-api.ts';

const service = scriptService();
const id = 's1';
const send = {
  ...{ broadcastId: id, name: 'News', status: 'scheduled', emailId: 'e1', abTest: null, revision: 1, total: null },
  ...{ audience: { staticListId: 'l1' }, when: { kind: 'at', at: '2099-01-01T09:00:00.000Z' } },
} as Send;

function Held() {
  const { data } = useQuery(dataOf(useApi(), getBroadcast, { params: { id } }));
  return data ? <SendActions send={data} /> : null;
}

/** It is read once; whatever is asked after that gets no answer in time. */
function open() {
  let reads = 0;
  service.answers[`GET /v2/broadcasts/${id}`] = () =>
    reads++ === 0 ? envelope(send) : refusal(503, [{ errorCode: 'UNAVAILABLE', message: 'Busy.' }]);
  service.answers['GET /v2/emails'] = page([]);
  service.answers['GET /v2/lists'] = page([]);
  return stage(<Held />);
}

it('opens a changed send as it was saved, even before it is read again', async () => {
  const changed = { ...send, revision: 2, when: { kind: 'now' } };
  service.answers[`PATCH /v2/broadcasts/${id}`] = envelope(changed);
  const { user } = open();
  await user.click(await screen.findByRole('button', { name: t.change }));
  await user.click(await screen.findByRole('button', { name: t.saveChange }));
  await vi.waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  await user.click(screen.getByRole('button', { name: t.change }));
  await user.click(await screen.findByRole('button', { name: t.sendNow(null) }));
  await vi.waitFor(() => expect(service.asked.filter(({ what }) => what.startsWith('PATCH'))).toHaveLength(2));
  expect(service.asked.findLast(({ what }) => what.startsWith('PATCH'))?.ifMatch).toBe('"2"');
});

it('offers to resume what was just paused, even before it is read again', async () => {
  service.answers[`POST /v2/broadcasts/${id}/pause`] = envelope({ ...send, status: 'paused' });
  const { user } = open();
  await user.click(await screen.findByRole('button', { name: t.pause }));
  expect(await screen.findByRole('button', { name: t.resume })).toBeDefined();
});
