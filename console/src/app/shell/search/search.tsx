// ⌘K: actions and pages at once, contacts and other things of the workspace while typing. What fits best comes first.

import { useDebouncedValue } from '@mantine/hooks';
import { createSpotlight, Spotlight } from '@mantine/spotlight';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { useLocation } from 'wouter';
import { composedOf } from '../../../api/ask.ts';
import { useRights } from '../../../api/session/rights.ts';
import { useApi, useSession } from '../../../api/session/session.tsx';
import { SearchIcon } from '../../../shared/icons.tsx';
import { kinds } from '../../../texts/search.ts';
import { t } from '../../../texts/shell.ts';
import { places } from '../places.tsx';
import { useSignOut } from '../use-sign-out.ts';
import { actionsFor, type Doing } from './actions.tsx';
import { askedWhy } from './asked-why.ts';
import { takeEarlyKeys } from './open-search.ts';
import { pressThere } from './press-there.ts';
import { fitOf, ranked } from './rank.ts';
import classes from './search.module.css';
import { type Found, findEverywhere } from './sources.tsx';
import { useRecent } from './use-recent.ts';

const [store, spotlight] = createSpotlight();
const foundEverywhere = composedOf('search', findEverywhere);

type Row = Partial<Omit<Found, 'ask'>> & Pick<Found, 'id' | 'kind' | 'title' | 'icon'> & Partial<Doing>;

/** The sidebar has them in this order. */
const pages: readonly Row[] = places.map(({ to, title, icon }) => ({
  ...{ id: `page-${to}`, kind: kinds.page, title, icon, to },
}));

export default function Search({ opens }: { opens: number }) {
  const api = useApi();
  const [text, setText] = useState('');
  const [asked] = useDebouncedValue(text.trim(), 200);
  const box = useRef<HTMLInputElement>(null);
  const take = () => {
    const typed = takeEarlyKeys();
    if (typed) setText((before) => before + typed);
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: opens once more whenever it is wanted
  useEffect(() => {
    // What was typed before, if it is still closing.
    if (!store.getState().opened) setText('');
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
  // Not results for other words: Enter may come before the next request.
  const { groups, choose } = useRows(text.trim(), isAsked && asked !== '' ? found : []);
  const { list, onKeyDown } = useFirstChosen(text);
  return (
    <Spotlight.Root store={store} query={text} onQueryChange={setText} scrollable maxHeight={420} shortcut={null}>
      <Spotlight.Search
        ref={box}
        placeholder={t.searchHint}
        leftSection={<SearchIcon />}
        aria-label={t.searchEverything}
        onFocus={take}
        onKeyDown={onKeyDown}
      />
      <Spotlight.ActionsList ref={list}>
        {groups.map(({ title, rows }) => (
          <Spotlight.ActionsGroup key={title} label={title}>
            {rows.map((row) => (
              <Spotlight.Action
                key={row.id}
                label={row.title}
                {...(row.text ? { description: row.text } : {})}
                leftSection={row.icon}
                rightSection={text ? <span className={classes.kind}>{row.kind}</span> : undefined}
                onClick={() => choose(row)}
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

/** What is shown, and what happens when it is chosen. */
function useRows(typed: string, found: readonly Row[]) {
  const [, navigate] = useLocation();
  const { who } = useSession();
  const { canWrite, isAdmin } = useRights();
  const signOut = useSignOut();
  const recent = useRecent();
  const actions: Row[] = actionsFor({ canWrite, isAdmin, isPerson: who !== undefined, signOut }).map((action) => ({
    ...action,
    kind: kinds.action,
  }));
  const choose = ({ id, to, press, run }: Row) => {
    recent.note(id);
    // Before the page changes, because it looks at what is there now.
    if (to && press) pressThere(to, press);
    if (to) navigate(to);
    run?.();
  };
  const groups =
    typed === ''
      ? [
          { title: t.searchPages, rows: ranked(pages, '', recent.ids) },
          { title: t.searchActions, rows: ranked(actions, '', recent.ids) },
        ]
      : [{ title: t.searchResults, rows: bestFirst(typed, [...actions, ...pages], found, recent.ids) }];
  return { groups: groups.filter(({ rows }) => rows.length > 0), choose };
}

/** The answer to a question that was typed comes before everything that only has a word of it. */
function bestFirst(typed: string, local: readonly Row[], found: readonly Row[], recent: readonly string[]): Row[] {
  const fitting = local.filter((row) => fitOf(row, typed));
  const rows = ranked([...fitting, ...found], typed, recent);
  if (!askedWhy(typed)?.who) return rows;
  const isAnswer = ({ kind }: Row) => kind === kinds.why;
  return [...rows.filter(isAnswer), ...rows.filter((row) => !isAnswer(row))];
}

/** Enter takes the first result, also one that came later, until the person has moved on with the arrow keys. */
function useFirstChosen(text: string) {
  const list = useRef<HTMLDivElement>(null);
  const isMoved = useRef(false);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another text begins at the first result again
  useEffect(() => {
    isMoved.current = false;
  }, [text]);
  useEffect(() => {
    const [first, ...others] = list.current?.querySelectorAll<HTMLElement>('[data-action]') ?? [];
    if (!text || !first || isMoved.current) return;
    for (const other of others) delete other.dataset.selected;
    first.dataset.selected = 'true';
    store.updateState((state) => (state.selected === 0 ? state : { ...state, selected: 0 }));
  });
  const onKeyDown = ({ key }: { key: string }) => {
    if (key === 'ArrowDown' || key === 'ArrowUp') isMoved.current = true;
  };
  return { list, onKeyDown };
}
