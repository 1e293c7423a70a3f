// Search and filters of the list, all of them in its address.
import { Select } from '@mantine/core';
import { useFolders } from '../../../shared/folders/use-folders.ts';
import { SearchBox } from '../../../shared/search-box.tsx';
import toolbarStyles from '../../../shared/toolbar.module.css';
import { Toolbar } from '../../../shared/toolbar.tsx';
import type { usePageParams } from '../../../shared/use-page-params.ts';
import { t } from '../../../texts/journeys.ts';
import { useKnownTags } from '../details/use-known-tags.ts';
import type { JourneyFilters } from './journeys-api.ts';

type Params = ReturnType<typeof usePageParams>;

export function filtersOf(param: Params['param']): JourneyFilters {
  return {
    search: param('search'),
    status: (['active', 'draft', 'inactive'] as const).find((word) => word === param('status')),
    type: (['batch', 'trigger'] as const).find((word) => word === param('type')),
    tag: param('tag'),
    folderId: param('folder'),
  };
}

interface JourneyToolbarProps {
  params: Params;
  filters: JourneyFilters;
  sort: 'name' | undefined;
}

export function JourneyToolbar({ params: { setParam, clearing }, filters, sort }: JourneyToolbarProps) {
  const folders = useFolders();
  const tags = useKnownTags();
  const choice = (name: string, value: string | undefined, label: string, any: string) => ({
    'aria-label': label,
    placeholder: any,
    w: 124,
    value: value ?? null,
    onChange: (chosen: string | null) => setParam(name, chosen ?? undefined),
    clearable: true,
    clearButtonProps: { 'aria-label': any },
  });
  return (
    <Toolbar onClear={clearing('search', 'status', 'type', 'tag', 'folder')}>
      <SearchBox
        label={t.search}
        placeholder={t.searchHint}
        value={filters.search ?? ''}
        onSearch={(value) => setParam('search', value)}
        className={toolbarStyles.grow}
      />
      <Select {...choice('status', filters.status, t.status, t.anyStatus)} data={choices(t.statuses)} />
      <Select {...choice('type', filters.type, t.type, t.anyType)} data={choices(t.types)} />
      <Select {...choice('tag', filters.tag, t.tag, t.anyTag)} data={withChosen(tags, filters.tag)} searchable />
      <Select {...choice('folder', filters.folderId, t.folder, t.anyFolder)} data={folders.choices} searchable />
      <Select
        aria-label={t.sort}
        w={130}
        data={choices(t.sorts)}
        value={sort ?? 'newest'}
        allowDeselect={false}
        onChange={(value) => setParam('sort', value === 'name' ? value : undefined)}
      />
    </Toolbar>
  );
}

function choices(words: Record<string, string>): { value: string; label: string }[] {
  return Object.entries(words).map(([value, label]) => ({ value, label }));
}

/** A tag in the address is shown, even if no journey has it. */
function withChosen(tags: readonly string[], chosen: string | undefined): string[] {
  return chosen === undefined || tags.includes(chosen) ? [...tags] : [chosen, ...tags];
}
