// Many concurrent requests for statistics.
import { expect, it } from 'vitest';
import { useApp } from '../../../test/app.js';
import { makeMailer } from '../../../test/messages.js';

const t = useApp();
// It begins and ends within an hour, so every figure is a slow read.
const window = 'startTime=2026-09-01T10:20:30.400Z&endTime=2026-09-30T10:20:30.400Z';

it('sixty readers of one tenant are all answered: a request waits for one slow read at a time', async () => {
  const mailer = await makeMailer(t);
  const definition = {
    entry: { api: true },
    steps: [
      { id: 'split', type: 'split', arms: [{ name: 'a', percent: 100, next: 'mail' }] },
      { id: 'mail', type: 'sendEmail', emailId: mailer.emailId },
    ],
  };
  const made = await mailer.post('/v2/journeys', { name: 'Crowded', type: 'trigger', definition });
  for (const path of [
    '/v2/stats/overview',
    '/v2/journeys/stats',
    `/v2/journeys/${made.body.data.journeyId}/stats`,
    `/v2/emails/${mailer.emailId}/stats`,
  ]) {
    const answers = await Promise.all(Array.from({ length: 60 }, () => mailer.get(`${path}?${window}`)));
    expect(new Set(answers.map(({ status }) => status)), path).toEqual(new Set([200]));
  }
});
