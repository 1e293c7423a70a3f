// @vitest-environment happy-dom
import { screen, within } from '@testing-library/react';
import { expect, it, vi } from 'vitest';
import { envelope, page, scriptService, stage, viewer } from '../../../test/stage.tsx';
import { states, t } from '../../texts/topics.ts';
import { TopicsTab } from './topics-tab.tsx';

const service = scriptService();
const at = '2026-05-03T10:00:00.000Z';
const topics = [
  { topicId: 't1', key: 'news', name: 'News', visibility: 'public', state: 'subscribed', since: at, source: 'form' },
  { topicId: 't2', key: 'tips', name: 'Tips', visibility: 'public', state: 'unsubscribed', since: null, source: null },
];
const entry = {
  at,
  topicId: 't1',
  state: 'subscribed',
  source: 'form',
  formId: 'f1',
  text: 'Yes, write to me.',
  accountId: null,
};

function script() {
  service.answers['GET /v2/contacts/c1/topics'] = envelope(topics);
  service.answers['GET /v2/contacts/c1/consent-log'] = page([entry, { ...entry, topicId: 'gone' }]);
}

it('says what the contact is to each topic, since when and how, and what was agreed to', async () => {
  script();
  stage(<TopicsTab id="c1" />);
  const table = within(await screen.findByRole('table', { name: t.topics }));
  expect(table.getByText(states.subscribed.label)).toBeDefined();
  expect(table.getByText(t.defaultState)).toBeDefined();
  const log = within(await screen.findByRole('table', { name: t.log }));
  expect(await log.findAllByText('Yes, write to me.')).toHaveLength(2);
  expect(log.getByText(t.removedTopic)).toBeDefined();
});

it('unsubscribes and subscribes', async () => {
  script();
  service.answers['PUT /v2/contacts/c1/topics/t1'] = envelope(topics[0]);
  service.answers['PUT /v2/contacts/c1/topics/t2'] = envelope(topics[1]);
  const { user } = stage(<TopicsTab id="c1" />);
  await user.click(await screen.findByRole('button', { name: t.unsubscribeOf('News') }));
  await user.click(await screen.findByRole('button', { name: t.subscribeOf('Tips') }));
  const puts = () => service.asked.filter(({ what }) => what.startsWith('PUT')).map(({ body }) => body);
  await vi.waitFor(() => expect(puts()).toEqual([{ state: 'unsubscribed' }, { state: 'subscribed' }]));
});

it('lets a viewer only read', async () => {
  script();
  service.answers['GET /v2/me'] = viewer;
  stage(<TopicsTab id="c1" />);
  await screen.findByRole('table', { name: t.topics });
  await vi.waitFor(() => expect(service.asked.some(({ what }) => what === 'GET /v2/me')).toBe(true));
  await vi.waitFor(() => expect(screen.queryByRole('button', { name: t.unsubscribeOf('News') })).toBeNull());
});
