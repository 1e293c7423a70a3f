import { useState } from 'react';
import { Page } from '../../shared/page.tsx';
import { everybody, FilterBuilder, type FilterJson } from './builder/filter-builder.tsx';

export default function BuilderPage() {
  const [filter, setFilter] = useState<FilterJson>(everybody);
  return (
    <Page title="Builder">
      <FilterBuilder filter={filter} onChange={setFilter} />
      <pre>{JSON.stringify(filter)}</pre>
    </Page>
  );
}
