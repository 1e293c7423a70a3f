// @vitest-environment happy-dom
import { screen } from '@testing-library/react';
import { describe, expect, it, vi } from 'vitest';
import { envelope, page, refusal, scriptService, stage } from '../../../test/stage.tsx';
import { t } from '../../texts/topics.ts';
import { type Topic, TopicDialog } from './topic-dialog.tsx';

const service = scriptService();
const news = {
  ...{ topicId: 't1', key: 'news', name: 'News', description: null, byDefault: 'unsubscribed', visibility: 'public' },
  ...{ doubleOptIn: false, confirmEmailId: null, subscribed: 2, unsubscribed: 1, pending: 0 },
} as Topic;
const sent = (method: string) => service.asked.filter(({ what }) => what.startsWith(method)).map(({ body }) => body);

function open(topic?: Topic) {
  const onClose = vi.fn();
  return { ...stage(<TopicDialog {...(topic ? { topic } : {})} onClose={onClose} />), onClose };
}

describe('the dialog of a topic', () => {
  it('asks for a name before it sends anything', async () => {
    const { user } = open();
    await user.click(screen.getByRole('button', { name: t.create }));
    expect(screen.getByText(t.nameWanted)).toBeDefined();
    expect(sent('POST')).toEqual([]);
  });

  it('makes a topic that is unsubscribed by default and leaves the key to the service', async () => {
    service.answers['POST /v2/topics'] = envelope(news);
    const { user, onClose } = open();
    await user.type(screen.getByRole('textbox', { name: new RegExp(t.name) }), ' News ');
    await user.click(screen.getByRole('button', { name: t.create }));
    await vi.waitFor(() => expect(onClose).toHaveBeenCalled());
    expect(sent('POST')).toEqual([
      {
        ...{ name: 'News', description: null, byDefault: 'unsubscribed', visibility: 'public' },
        ...{ doubleOptIn: false, confirmEmailId: null },
      },
    ]);
  });

  it('never sends the key and the default of one that is there', async () => {
    service.answers['PATCH /v2/topics/t1'] = envelope(news);
    service.answers['GET /v2/emails'] = page([]);
    const { user, onClose } = open(news);
    await user.click(screen.getByLabelText(new RegExp(t.doubleOptIn)));
    await user.click(screen.getByRole('button', { name: t.save }));
    await vi.waitFor(() => expect(onClose).toHaveBeenCalled());
    expect(sent('PATCH')).toEqual([
      { name: 'News', description: null, visibility: 'public', doubleOptIn: true, confirmEmailId: null },
    ]);
  });

  it('puts what the service refused beside its field', async () => {
    service.answers['POST /v2/topics'] = refusal(400, [
      { errorCode: 'VALIDATION_ERROR', message: 'key must be 1 to 40 of a-z, 0-9 and _', detail: 'key' },
    ]);
    const { user } = open();
    await user.type(screen.getByRole('textbox', { name: new RegExp(t.name) }), 'News');
    await user.type(screen.getByRole('textbox', { name: t.key }), 'Not a key');
    await user.click(screen.getByRole('button', { name: t.create }));
    expect(await screen.findByText(`${t.key} must be 1 to 40 of a-z, 0-9 and _`)).toBeDefined();
  });
});
