import { describe, expect, it } from 'vitest';
import { exportColumns, firstColumns, keepColumns, mostColumns, readColumns, toggleColumn } from './chosen-columns.ts';

function shelf(entries: Record<string, string> = {}) {
  const kept = new Map(Object.entries(entries));
  return {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => void kept.set(key, value),
    removeItem: (key: string) => void kept.delete(key),
  };
}

describe('the columns of contacts', () => {
  it('are at first the properties that most contacts have, without those that are in the name', () => {
    const properties = [
      { key: 'city', share: 0.2 },
      { key: 'first_name', share: 1 },
      { key: 'plan', share: 0.9 },
      { key: 'seats', share: 0.4 },
      { key: 'gone', share: 0 },
      { key: 'zip', share: 0.1 },
    ];
    expect(firstColumns(properties)).toEqual(['name', 'p:plan', 'p:seats', 'p:city', 'createdAt']);
  });

  it('are kept for each workspace, and nothing that is no column is taken', () => {
    const storage = shelf();
    keepColumns(storage, 1, ['p:plan', 'id']);
    expect(readColumns(storage, 1)).toEqual(['p:plan', 'id']);
    expect(readColumns(storage, 2)).toBeUndefined();
    keepColumns(storage, 1, undefined);
    expect(readColumns(storage, 1)).toBeUndefined();
    expect(readColumns(shelf({ 'rapport-columns:1:contacts': '["name", 7, "nonsense"]' }), 1)).toEqual(['name']);
    expect(readColumns(shelf({ 'rapport-columns:1:contacts': '{' }), 1)).toBeUndefined();
  });

  it('get a property before the moments, lose one that is chosen again, and are not more than fit', () => {
    expect(toggleColumn(['name', 'createdAt'], 'p:plan')).toEqual(['name', 'p:plan', 'createdAt']);
    expect(toggleColumn(['name', 'p:plan'], 'p:plan')).toEqual(['name']);
    const many = Array.from({ length: mostColumns }, (_, at) => `p:key_${at}` as const);
    expect(toggleColumn(many, 'name')).toEqual(many);
  });

  it('are named as the export wants them, without those that no contact has had', () => {
    const known = new Set(['first_name', 'plan', 'id']);
    expect(exportColumns(['name', 'p:plan', 'p:gone', 'p:id', 'createdAt'], known)).toBe(
      'email,first_name,plan,properties.id,createdAt',
    );
  });
});
