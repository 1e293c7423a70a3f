// @vitest-environment happy-dom
import { screen, within } from '@testing-library/react';
import { describe, expect, it, vi } from 'vitest';
import { envelope, page, refusal, scriptService, stage } from '../../../test/stage.tsx';
import { t } from '../../texts/forms.ts';
import type { Form } from './form-api.ts';
import { FormEditor } from './form-editor.tsx';

const service = scriptService();
const form = {
  ...{ formId: 'f1', name: 'Newsletter', topicIds: ['t1'], listId: null, consentText: 'Yes, write to me.' },
  fields: [
    { property: 'email', label: 'Email', type: 'email', required: true },
    { property: 'first_name', label: 'First name', type: 'text', required: false },
  ],
  ...{ success: null, allowedOrigins: [], state: 'open', updatedAt: '2026-11-18T09:00:00.000Z' },
} as unknown as Form;

function edit(isReadOnly = false) {
  service.answers['GET /v2/topics'] = page([{ topicId: 't1', name: 'News' }]);
  service.answers['GET /v2/lists'] = page([]);
  service.answers['PATCH /v2/forms/f1'] = envelope(form);
  return stage(<FormEditor form={form} isReadOnly={isReadOnly} />);
}
const patches = () => service.asked.filter(({ what }) => what.startsWith('PATCH')).map(({ body }) => body);
const save = () => screen.getByRole('button', { name: t.save });

describe('the editor of a form', () => {
  it('shows in the preview what is typed', async () => {
    const { user } = edit();
    await user.type(screen.getByRole('textbox', { name: new RegExp(t.name) }), '!');
    expect(within(screen.getByRole('region', { name: t.preview })).getByText('Newsletter!')).toBeDefined();
  });

  it('moves fields with buttons, and saves them in their new order', async () => {
    const { user } = edit();
    await user.click(screen.getByRole('button', { name: t.moveUp('First name') }));
    await user.click(save());
    await vi.waitFor(() => expect(patches()).toHaveLength(1));
    expect((patches()[0] as { fields: { property: string }[] }).fields.map(({ property }) => property)).toEqual([
      'first_name',
      'email',
    ]);
  });

  it('says what is wrong with a field, and sends nothing', async () => {
    const { user } = edit();
    await user.click(screen.getByRole('button', { name: t.add }));
    await user.click(save());
    expect(screen.getByText(t.fault.label)).toBeDefined();
    expect(screen.getByText(t.fault.property)).toBeDefined();
    expect(patches()).toEqual([]);
  });

  it('keeps the email field', () => {
    edit();
    expect(screen.queryByRole('button', { name: t.remove('Email') })).toBeNull();
    expect(screen.getByRole('button', { name: t.remove('First name') })).toBeDefined();
  });

  it('shows what the service refused', async () => {
    const { user } = edit();
    service.answers['PATCH /v2/forms/f1'] = refusal(409, [
      { errorCode: 'INVALID_STATE', message: 'There is no sending domain to ask with.' },
    ]);
    await user.type(screen.getByRole('textbox', { name: new RegExp(t.name) }), '!');
    await user.click(save());
    expect(await screen.findByText('There is no sending domain to ask with.')).toBeDefined();
  });

  it('can only be read by a viewer', () => {
    edit(true);
    expect(screen.queryByRole('button', { name: t.save })).toBeNull();
    expect(screen.queryByRole('button', { name: t.add })).toBeNull();
  });
});
