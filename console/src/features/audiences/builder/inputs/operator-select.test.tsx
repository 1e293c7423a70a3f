// @vitest-environment happy-dom
import { screen } from '@testing-library/react';
import { expect, it, vi } from 'vitest';
import { scriptService, stage } from '../../../../../test/stage.tsx';
import { PlainFields } from '../fields/value-fields.tsx';
import type { FilterJson } from '../model/filter-json.ts';
import type { ValueType } from '../model/operators.ts';

scriptService();

async function open(json: FilterJson, types: readonly ValueType[] = [], isReadOnly = false) {
  const onChange = vi.fn();
  const { user } = stage(<PlainFields json={json} types={types} onChange={onChange} isReadOnly={isReadOnly} />);
  const select = screen.getByRole('combobox', { name: 'Operator' });
  if (!isReadOnly) await user.click(select);
  return { user, onChange, select, offered: () => screen.getAllByRole('option').map((each) => each.textContent) };
}

const inOrder = (offered: readonly (string | null)[]) =>
  offered.filter((each) => each === 'is more than' || each === 'contains');
const plan = { property: 'plan', is: 'pro' };

it('offers first what fits the type of the property', async () => {
  const { offered } = await open({ property: 'age', is: 3 }, ['number']);
  expect(inOrder(offered())).toEqual(['is more than', 'contains']);
});

it('offers tests of text first for text', async () => {
  const { offered } = await open(plan, ['text']);
  expect(inOrder(offered())).toEqual(['contains', 'is more than']);
});

it('offers having and not having a value as two', async () => {
  const { user, offered, onChange } = await open(plan, ['text']);
  expect(offered()).toEqual(expect.arrayContaining(['has a value', 'has no value']));
  await user.click(screen.getByRole('option', { name: 'has no value' }));
  expect(onChange).toHaveBeenCalledExactlyOnceWith({ property: 'plan', exists: false });
});

it('keeps the value for an operator that wants the same', async () => {
  const { user, onChange } = await open(plan, ['text']);
  await user.click(screen.getByRole('option', { name: 'is not' }));
  expect(onChange).toHaveBeenCalledExactlyOnceWith({ property: 'plan', isNot: 'pro' });
});

it('asks for no value where the operator wants none', async () => {
  await open({ property: 'plan', exists: true });
  expect(screen.getAllByRole('combobox')).toHaveLength(1);
  expect(screen.queryByRole('textbox', { name: 'Value' })).toBeNull();
});

it('cannot be changed by a person who only reads', async () => {
  const { select } = await open(plan, ['text'], true);
  expect((select as HTMLInputElement).disabled).toBe(true);
});
