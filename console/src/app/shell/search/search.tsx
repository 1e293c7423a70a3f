// ⌘K: pages at once, contacts and other things of the workspace while typing.

import { useDebouncedValue } from '@mantine/hooks';
import { createSpotlight, Spotlight } from '@mantine/spotlight';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { useLocation } from 'wouter';
import { composedOf } from '../../../api/ask.ts';
import { useApi } from '../../../api/session/session.tsx';
import { SearchIcon } from '../../../shared/icons.tsx';
import { t } from '../../../texts/shell.ts';
import { places } from '../places.tsx';
import { takeEarlyKeys } from './open-search.ts';
import { type Found, findEverywhere } from './sources.tsx';

const [store, spotlight] = createSpotlight();
const foundEverywhere = composedOf('search', findEverywhere);

export default function Search({ opens }: { opens: number }) {
  const api = useApi();
  const [, navigate] = useLocation();
  const [text, setText] = useState('');
  const [asked] = useDebouncedValue(text.trim(), 200);
  const box = useRef<HTMLInputElement>(null);
  const take = () => {
    const typed = takeEarlyKeys();
    if (typed) setText((before) => before + typed);
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: opens once more whenever it is wanted
  useEffect(() => {
    spotlight.open();
    // Opened again: it already has the focus.
    if (box.current && box.current === document.activeElement) take();
  }, [opens]);
  const {
    data: found = [],
    error,
    isFetching,
  } = useQuery({
    ...foundEverywhere(api, asked),
    enabled: asked !== '',
    staleTime: 10_000,
  });
  const isAsked = asked === text.trim();
  const pages: Found[] = places
    .filter(({ title }) => title.toLowerCase().includes(text.trim().toLowerCase()))
    .map(({ to, title, icon }) => ({ id: to, title, icon, to }));
  const groups = [
    { title: t.searchPages, found: text ? pages.slice(0, 5) : pages },
    // Not results for other words: Enter may come before the next request.
    ...(isAsked && asked !== '' ? found : []),
  ].filter((group) => group.found.length > 0);
  const list = useFirstChosen(text !== '');
  return (
    <Spotlight.Root store={store} query={text} onQueryChange={setText} scrollable maxHeight={420} shortcut={null}>
      <Spotlight.Search
        ref={box}
        placeholder={t.searchHint}
        leftSection={<SearchIcon />}
        aria-label={t.searchEverything}
        onFocus={take}
      />
      <Spotlight.ActionsList ref={list}>
        {groups.map((group) => (
          <Spotlight.ActionsGroup key={group.title} label={group.title}>
            {group.found.map(({ id, title, text: note, icon, to }) => (
              <Spotlight.Action
                key={id}
                label={title}
                {...(note ? { description: note } : {})}
                leftSection={icon}
                onClick={() => navigate(to)}
              />
            ))}
          </Spotlight.ActionsGroup>
        ))}
        {groups.length === 0 && isAsked && !isFetching && (
          <Spotlight.Empty>{error ? t.searchFailed : t.searchNothing}</Spotlight.Empty>
        )}
      </Spotlight.ActionsList>
    </Spotlight.Root>
  );
}

/** Later results can be chosen like immediate ones: Enter takes the first. */
function useFirstChosen(hasText: boolean) {
  const list = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const [first] = list.current?.querySelectorAll<HTMLElement>('[data-action]') ?? [];
    if (!hasText || !first || list.current?.querySelector('[data-selected]')) return;
    first.dataset.selected = 'true';
    store.updateState((state) => ({ ...state, selected: 0 }));
  });
  return list;
}
