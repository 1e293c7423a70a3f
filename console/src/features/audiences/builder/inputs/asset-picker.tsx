import { Select } from '@mantine/core';
import { useState } from 'react';
import { t } from '../../../../texts/filter.ts';
import { type AssetKind, useAsset, useAssets } from '../assets.ts';
import classes from '../controls.module.css';

interface AssetPickerProps {
  kind: AssetKind;
  value: unknown;
  onChange: (id: string) => void;
  isReadOnly: boolean;
  label: string;
}

/** Finds a list, journey or email by part of its name. */
export function AssetPicker({ kind, value, onChange, isReadOnly, label }: AssetPickerProps) {
  const id = typeof value === 'string' ? value : '';
  const [search, setSearch] = useState('');
  const [isOpen, setOpen] = useState(false);
  const chosen = useAsset(kind, id);
  const isSearch = search !== chosen.data?.name;
  const { data: found = [], isFetching } = useAssets(kind, isSearch ? search : '', isOpen);
  const named = id === '' ? [] : [{ id, name: chosen.data?.name ?? (chosen.isError ? t.notFound : id) }];
  const choices = [...named.filter(() => !found.some((each) => each.id === id)), ...found];
  return (
    <Select
      aria-label={label}
      placeholder={t.choose}
      className={classes.asset ?? ''}
      data={choices.map((each) => ({ value: each.id, label: each.name }))}
      value={id || null}
      searchable
      allowDeselect={false}
      disabled={isReadOnly}
      onSearchChange={setSearch}
      onDropdownOpen={() => setOpen(true)}
      // The API has searched already.
      filter={({ options }) => options}
      nothingFoundMessage={isFetching ? t.searching : t.nobodyFits}
      onChange={(next) => next && onChange(next)}
    />
  );
}
