import { Button, Checkbox, Group, Popover, ScrollArea, Stack, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import { ColumnsIcon, SearchIcon } from '../../../shared/icons.tsx';
import { t } from '../../../texts/contacts.ts';
import { type ColumnId, mostColumns, ownColumns, toggleColumn } from './chosen-columns.ts';
import { ownTitles } from './own-titles.ts';
import type { Columns } from './use-columns.ts';

export function ColumnsMenu({ columns }: { columns: Columns }) {
  return (
    <Popover position="bottom-end" width={288} trapFocus shadow="md" transitionProps={{ duration: 0 }}>
      <Popover.Target>
        <Button variant="default" leftSection={<ColumnsIcon />}>
          {t.columns}
        </Button>
      </Popover.Target>
      <Popover.Dropdown aria-label={t.columns}>
        <Choices columns={columns} />
      </Popover.Dropdown>
    </Popover>
  );
}

function Choices({ columns: { ids, properties, isChosen, choose } }: { columns: Columns }) {
  const [search, setSearch] = useState('');
  const wanted = search.trim().toLowerCase();
  const isFull = ids.length >= mostColumns;
  // A property that no contact has any more stays, so that it can be removed.
  const keys = new Set([...properties.map(({ key }) => key), ...ids.filter(isProperty).map((id) => id.slice(2))]);
  const found = [...keys].filter((key) => key.toLowerCase().includes(wanted)).toSorted();
  const box = (id: ColumnId, label: string) => (
    <Checkbox
      key={id}
      size="xs"
      label={label}
      checked={ids.includes(id)}
      disabled={isFull && !ids.includes(id)}
      onChange={() => choose(toggleColumn(ids, id))}
    />
  );
  return (
    <Stack gap="sm">
      <TextInput
        aria-label={t.columnsSearch}
        placeholder={t.columnsSearch}
        leftSection={<SearchIcon />}
        value={search}
        data-autofocus
        onChange={(event) => setSearch(event.currentTarget.value)}
      />
      <ScrollArea.Autosize mah={300} type="auto">
        <Stack gap="xs" py={2}>
          {wanted === '' && ownColumns.map((id) => box(id, ownTitles[id]))}
          {wanted === '' && found.length > 0 && (
            <Text size="xs" c="dimmed" mt={4}>
              {t.properties}
            </Text>
          )}
          {found.map((key) => box(`p:${key}`, key))}
          {wanted !== '' && found.length === 0 && <Text c="dimmed">{t.noProperty}</Text>}
        </Stack>
      </ScrollArea.Autosize>
      <Group justify="space-between" gap="xs">
        <Text size="xs" c="dimmed">
          {isFull ? t.columnsMost(mostColumns) : ''}
        </Text>
        <Button variant="subtle" color="gray" size="compact-sm" disabled={!isChosen} onClick={() => choose(undefined)}>
          {t.resetColumns}
        </Button>
      </Group>
    </Stack>
  );
}

function isProperty(id: ColumnId): boolean {
  return id.startsWith('p:');
}
