// @vitest-environment happy-dom
import { screen, waitFor } from '@testing-library/react';
import { describe, expect, it, vi } from 'vitest';
import { readToken, scriptService, stage, viewer } from '../../../test/stage.tsx';
import { ContactActions } from './contact-actions.tsx';
import type { Contact } from './contact-api.ts';
import { PropertyEditor } from './properties/property-editor.tsx';

const service = scriptService();

describe('the editor of a property', () => {
  function edit(value: unknown, more: { error?: string; onRemove?: () => Promise<boolean> } = {}) {
    const onSave = vi.fn(async (_: unknown) => true);
    const onCancel = vi.fn();
    const parts = { form: 'contact:c1:plan', label: 'plan', isBusy: false, error: undefined };
    const staged = stage(<PropertyEditor {...parts} {...more} value={value} onSave={onSave} onCancel={onCancel} />);
    return { ...staged, onSave, onCancel, field: () => screen.getByLabelText('plan') };
  }

  it('saves text with Enter', async () => {
    const { user, onSave, field } = edit('basic');
    await user.clear(field());
    await user.type(field(), 'pro{Enter}');
    expect(onSave).toHaveBeenCalledExactlyOnceWith('pro');
  });

  it('saves a number as a number', async () => {
    const { user, onSave, field } = edit(3);
    await user.type(field(), '0{Enter}');
    expect(onSave).toHaveBeenCalledExactlyOnceWith(30);
  });

  it('says that something is not a number, and saves nothing, until it is one', async () => {
    const { user, onSave, field } = edit(3);
    await user.type(field(), 'x{Enter}');
    expect(field().getAttribute('aria-invalid')).toBe('true');
    expect(onSave).not.toHaveBeenCalled();
    await user.type(field(), '{Backspace}');
    expect(field().getAttribute('aria-invalid')).not.toBe('true');
  });

  it('keeps numbers in a list of numbers', async () => {
    const { user, onSave, field } = edit([1, 2]);
    await user.type(field(), '\nthree');
    await user.click(screen.getByRole('button', { name: 'Save' }));
    expect(onSave).toHaveBeenCalledExactlyOnceWith([1, 2, 'three']);
  });

  it('leaves it as it was with Escape', async () => {
    const { user, onSave, onCancel, field } = edit('basic');
    await user.type(field(), 'x{Escape}');
    expect(onCancel).toHaveBeenCalledOnce();
    expect(onSave).not.toHaveBeenCalled();
  });

  it('shows what the service refused beside the value', () => {
    edit('basic', { error: 'plan is too long' });
    expect(screen.getByText('plan is too long')).toBeDefined();
  });

  it('can remove only what can be removed', () => {
    edit('basic');
    expect(screen.queryByRole('button', { name: /Remove/ })).toBeNull();
  });
});

describe('what can be done to a contact', () => {
  const contact = { id: 'c1', email: 'ada@example.com', properties: {} } as Contact;
  async function openMenu() {
    const { user } = stage(<ContactActions id="c1" contact={contact} suppression={null} />);
    await waitFor(() => expect(service.asked.some(({ what }) => what === 'GET /v2/me')).toBe(true));
    await user.click(screen.getByRole('button', { name: 'More actions' }));
    await screen.findByRole('menuitem', { name: /Export/ });
    return () => screen.getAllByRole('menuitem').map((item) => item.textContent);
  }

  it('is everything for an admin', async () => {
    const items = await openMenu();
    expect(items()).toHaveLength(4);
  });

  it.each([
    ['a viewer', viewer],
    ['a token without WRITE', readToken],
  ])('is only reading for %s', async (_, me) => {
    service.answers['GET /v2/me'] = me;
    const items = await openMenu();
    await waitFor(() => expect(items()).toHaveLength(2));
    expect(items().join()).not.toMatch(/Erase|Suppress/);
  });
});
