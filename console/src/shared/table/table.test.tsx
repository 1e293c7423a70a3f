// @vitest-environment happy-dom
import type { Page } from '@rapport/client';
import type { UseQueryResult } from '@tanstack/react-query';
import { screen, within } from '@testing-library/react';
import { useState } from 'react';
import { describe, expect, it, vi } from 'vitest';
import { scriptService, stage } from '../../../test/stage.tsx';
import type { Column } from './column.ts';
import { DataTable } from './data-table.tsx';
import { LocalTable } from './local-table.tsx';

scriptService();

interface City {
  id: string;
  name: string;
  people: number | null;
}
const cities: City[] = [
  { id: 'b', name: 'Berlin', people: 3_700_000 },
  { id: 'a', name: 'Aachen', people: 250_000 },
  { id: 'x', name: 'Xanten', people: null },
];
const columns: Column<City>[] = [
  { id: 'name', title: 'Name', cell: ({ name }) => name, sortBy: ({ name }) => name },
  { id: 'people', title: 'People', cell: ({ people }) => people ?? '', sortBy: ({ people }) => people },
  { id: 'plain', title: 'Plain', cell: () => '' },
];
const common = { label: 'Cities', columns, rowKey: ({ id }: City) => id, empty: <p>No cities yet</p> };

const names = () => screen.getAllByRole('row').flatMap((row) => within(row).queryAllByText(/^(Berlin|Aachen|Xanten)$/));
const shown = () => names().map((cell) => cell.textContent);
const answer = (more: Partial<UseQueryResult<Page<City>, Error>>, page: Partial<Page<City>> = {}) =>
  ({
    data: { rows: cities, pageNumber: 2, pageSize: 3, totalElements: 9, totalPages: 3, ...page },
    error: null,
    isPending: false,
    ...more,
  }) as UseQueryResult<Page<City>, Error>;

describe('sorting', () => {
  it('sorts rows that are all here, up and then down, with unset values last', async () => {
    const { user } = stage(<LocalTable {...common} all={cities} />);
    expect(shown()).toEqual(['Berlin', 'Aachen', 'Xanten']);
    await user.click(screen.getByRole('button', { name: 'People' }));
    expect(shown()).toEqual(['Aachen', 'Berlin', 'Xanten']);
    await user.click(screen.getByRole('button', { name: 'People' }));
    expect(shown()).toEqual(['Berlin', 'Aachen', 'Xanten']);
    expect(screen.getByRole('columnheader', { name: 'People' }).getAttribute('aria-sort')).toBe('descending');
  });

  it('offers no sorting where a column has none', () => {
    stage(<LocalTable {...common} all={cities} />);
    expect(screen.queryByRole('button', { name: 'Plain' })).toBeNull();
  });
});

describe('paging', () => {
  it('says which rows these are, and turns', async () => {
    const onPage = vi.fn();
    window.scrollTo = () => undefined;
    const { user } = stage(<DataTable {...common} query={answer({})} onPage={onPage} />);
    expect(screen.getByText('4–6 of 9')).toBeDefined();
    await user.click(screen.getByRole('button', { name: 'Next' }));
    await user.click(screen.getByRole('button', { name: 'Previous' }));
    expect(onPage.mock.calls).toEqual([[3], [1]]);
  });

  it('cannot turn beyond the last page', () => {
    stage(<DataTable {...common} query={answer({}, { pageNumber: 3 })} onPage={() => undefined} />);
    expect((screen.getByRole('button', { name: 'Next' }) as HTMLButtonElement).disabled).toBe(true);
  });

  it('has no turns on an only page', () => {
    stage(
      <DataTable
        {...common}
        query={answer({}, { pageNumber: 1, totalPages: 1, totalElements: 3 })}
        onPage={() => undefined}
      />,
    );
    expect(screen.queryByRole('button', { name: 'Next' })).toBeNull();
  });

  it('says how many there are beyond the last page, and under rows that are all here', () => {
    const past = answer({}, { rows: [], pageNumber: 9 });
    stage(<DataTable {...common} query={past} onPage={() => undefined} />);
    expect(screen.getByText('0 of 9')).toBeDefined();
    const all = { data: cities, error: null, isPending: false, isPlaceholderData: false, refetch: () => undefined };
    stage(<DataTable {...common} rows={all} isCounted />);
    expect(screen.getByText('1–3 of 3')).toBeDefined();
  });
});

describe('what is shown instead of rows', () => {
  const none = { rows: [], totalElements: 0, totalPages: 0 };

  it('says that there is nothing', () => {
    stage(<DataTable {...common} query={answer({}, none)} onPage={() => undefined} />);
    expect(screen.getByText('No cities yet')).toBeDefined();
  });

  it('says that it is loading, under the headings', () => {
    const query = answer({ isPending: true }, none);
    stage(<DataTable {...common} query={query} onPage={() => undefined} />);
    expect(screen.getByText('Loading: Cities')).toBeDefined();
    expect(screen.getByRole('columnheader', { name: 'Name' })).toBeDefined();
  });

  it('says what went wrong, and keeps the rows that are there', () => {
    stage(<DataTable {...common} query={answer({ error: new Error('Too slow.') })} onPage={() => undefined} />);
    expect(screen.getByRole('alert').textContent).toContain('Too slow.');
    expect(shown()).toHaveLength(3);
  });

  it('tries again what could not be read at all', async () => {
    const refetch = vi.fn();
    const query = { ...answer({ error: new Error('Too slow.'), refetch }), data: undefined };
    const { user } = stage(
      <DataTable {...common} query={query as unknown as UseQueryResult<Page<City>, Error>} onPage={() => undefined} />,
    );
    await user.click(screen.getByRole('button', { name: 'Try again' }));
    expect(refetch).toHaveBeenCalledOnce();
    expect(screen.queryByRole('table')).toBeNull();
  });
});

describe('selection', () => {
  function Picked() {
    const [picked, onPick] = useState<ReadonlySet<string>>(new Set(['elsewhere']));
    return (
      <>
        <output>{[...picked].sort().join(' ')}</output>
        <DataTable
          {...common}
          query={answer({})}
          onPage={() => undefined}
          picking={{ picked, onPick, nameOf: ({ name }) => name }}
        />
      </>
    );
  }
  const picked = () => screen.getAllByRole('status').map((each) => each.textContent)[0];

  it('selects a row, and selects nothing else with it', async () => {
    const { user } = stage(<Picked />);
    await user.click(screen.getByLabelText('Select Berlin'));
    expect(picked()).toBe('b elsewhere');
  });

  it('selects and clears the rows of this page, and leaves those of others', async () => {
    const { user } = stage(<Picked />);
    const all = () => screen.getByRole('checkbox', { name: 'Select all on this page' });
    await user.click(all());
    expect(picked()).toBe('a b elsewhere x');
    await user.click(all());
    expect(picked()).toBe('elsewhere');
  });
});
