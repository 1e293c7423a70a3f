// One person's unsaved work on a journey, from loading to saving: edits with undo, a draft that outlives the tab, and what happens when
// somebody else saved first.

import { type Answer, ApiFailure } from '@rapport/client';
import { getJourney } from '@rapport/contract';
import { useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { answerOf, around } from '../../../api/ask.ts';
import { useApi } from '../../../api/session/session.tsx';
import { useShelf } from '../../../shared/drafts/use-shelf.ts';
import { t } from '../../../texts/journey-canvas.ts';
import { fetchJourney, type JourneyRecord, type JsonObject, patchJourney } from '../journey-api.ts';
import { type Definition, emptyDefinition } from '../model/definition.ts';
import { beginHistory, type History, record, redo, undo } from '../model/history.ts';
import { readDefinition } from '../model/read.ts';
import { sameText } from '../model/same-json.ts';
import { compact } from '../model/ways.ts';

export type SaveState = 'untouched' | 'saving' | 'saved' | 'failed';
export type InFlight = 'finish' | 'move';

export interface JourneyWork {
  /** As it is stored, as far as we know. */
  readonly journey: JourneyRecord;
  /** With every way written out. */
  readonly definition: Definition;
  /** As it would be saved. */
  readonly written: JsonObject;
  /** Why it cannot be drawn. */
  readonly problem: string | undefined;
  readonly isDirty: boolean;
  readonly canUndo: boolean;
  readonly canRedo: boolean;
  readonly saveState: SaveState;
  readonly error: string | undefined;
  /** A draft of earlier was found, and is shown. */
  readonly isRestored: boolean;
  readonly theirs: Answer<JourneyRecord> | undefined;
  edit(definition: Definition, about?: string): void;
  undo(): void;
  redo(): void;
  /** Undefined once it is saved, else nothing was. An active journey needs to know what becomes of those on the way. */
  save(inFlight?: InFlight): Promise<boolean>;
  overwrite(): Promise<void>;
  takeTheirs(): void;
  keepEditing(): void;
  discardDraft(): void;
  acceptDraft(): void;
  /** After something else than the definition has changed: activation, a name. */
  refresh(): Promise<void>;
}

interface Shown {
  definition: Definition;
  problem: string | undefined;
}

function shownOf(json: unknown): Shown {
  const read = readDefinition(json);
  return 'problem' in read
    ? { definition: emptyDefinition, problem: read.problem }
    : { definition: read.definition, problem: undefined };
}

const textOf = (definition: Definition): string => sameText(compact(definition));

export function useJourneyWork(loaded: Answer<JourneyRecord>): JourneyWork {
  const api = useApi();
  const queries = useQueryClient();
  const { journeyId: id } = loaded.data;
  const held = answerOf(api, getJourney, { params: { id } });
  const shelf = useShelf<JsonObject>(`journey:${id}`);
  const [base, setBase] = useState(loaded);
  const [history, setHistory] = useState<History<Definition>>(() =>
    beginHistory(shownOf(loaded.data.definition).definition),
  );
  const [isRestored, setRestored] = useState(false);
  const [saveState, setSaveState] = useState<SaveState>('untouched');
  const [error, setError] = useState<string>();
  const [theirs, setTheirs] = useState<Answer<JourneyRecord>>();

  const stored = useMemo(() => shownOf(base.data.definition), [base]);
  const definition = history.present;
  const written = useMemo(() => compact(definition) as unknown as JsonObject, [definition]);
  const storedText = useMemo(() => textOf(stored.definition), [stored]);
  const isDirty = useMemo(() => sameText(written) !== storedText, [written, storedText]);

  // Once who is at work is known: what was left undone here before.
  const hasLooked = useRef(false);
  useEffect(() => {
    if (hasLooked.current || !shelf.isKnown) return;
    hasLooked.current = true;
    const kept = shelf.find();
    if (!kept || sameText(kept.value) === storedText) return;
    const read = readDefinition(kept.value);
    if ('problem' in read) return;
    setHistory((old) => (old.past.length === 0 ? record(old, read.definition) : old));
    setRestored(true);
    if (kept.base !== null) setBase((old) => ({ ...old, etag: kept.base }));
  }, [shelf, storedText]);

  useEffect(() => {
    if (isDirty) shelf.keep(written, base.etag);
    else if (history.past.length > 0) shelf.forget();
  }, [shelf, isDirty, written, base.etag, history.past.length]);

  const adopt = useCallback(
    (answer: Answer<JourneyRecord>, shows: 'theirs' | 'mine') => {
      setBase(answer);
      if (shows === 'theirs') setHistory(beginHistory(shownOf(answer.data.definition).definition));
      setError(undefined);
      setTheirs(undefined);
      setRestored(false);
      if (shows === 'theirs') shelf.forget();
    },
    [shelf],
  );

  // Another part of the page has read it anew.
  useEffect(() => {
    if (loaded.data.revision === base.data.revision && loaded.data.updatedAt === base.data.updatedAt) return;
    if (loaded.data.revision < base.data.revision) return;
    if (textOf(shownOf(loaded.data.definition).definition) === storedText) setBase(loaded);
    else if (!isDirty) adopt(loaded, 'theirs');
  }, [loaded, base, storedText, isDirty, adopt]);

  const saveOver = async (etag: string | null, inFlight?: InFlight): Promise<boolean> => {
    if (saveState === 'saving') return false;
    setSaveState('saving');
    const body = { definition: written, ...(inFlight ? { inFlight } : {}) };
    try {
      const answer = await patchJourney(api, id, body, etag);
      setBase(answer);
      adopt(answer, 'mine');
      setSaveState('saved');
      queries.setQueryData(held.queryKey, answer);
      void queries.invalidateQueries(around('journeys', held));
      return true;
    } catch (cause) {
      setSaveState('failed');
      if (cause instanceof ApiFailure && cause.status === 412) await meet();
      else setError((cause as Error).message);
      return false;
    }
  };

  /** Somebody else was first. Who has the same in mind need not decide anything. */
  const meet = async () => {
    try {
      const current = await fetchJourney(api, id);
      if (textOf(shownOf(current.data.definition).definition) === sameText(written)) {
        adopt(current, 'mine');
        setSaveState('saved');
      } else {
        setError(t.notSaved);
        setTheirs(current);
      }
    } catch (cause) {
      setError((cause as Error).message);
    }
  };

  return {
    journey: base.data,
    ...{ definition, written, isDirty, saveState, error, isRestored, theirs },
    problem: isDirty ? undefined : stored.problem,
    canUndo: history.past.length > 0,
    canRedo: history.future.length > 0,
    edit: useCallback((next, about) => {
      setError(undefined);
      setHistory((old) => record(old, next, about));
    }, []),
    undo: useCallback(() => setHistory(undo), []),
    redo: useCallback(() => setHistory(redo), []),
    save: (inFlight) => saveOver(base.etag, inFlight),
    overwrite: async () => {
      if (!theirs) return;
      const { etag, data } = theirs;
      setTheirs(undefined);
      await saveOver(etag, data.status === 'active' ? 'finish' : undefined);
    },
    takeTheirs: () => {
      if (theirs) adopt(theirs, 'theirs');
      setSaveState('untouched');
    },
    keepEditing: () => setTheirs(undefined),
    discardDraft: () => {
      shelf.forget();
      setRestored(false);
      void fetchJourney(api, id).then((answer) => adopt(answer, 'theirs'));
    },
    acceptDraft: () => setRestored(false),
    refresh: async () => {
      const answer = await fetchJourney(api, id);
      setBase((old) => ({
        ...answer,
        etag: textOf(shownOf(answer.data.definition).definition) === storedText ? answer.etag : old.etag,
      }));
      queries.setQueryData(held.queryKey, answer);
      void queries.invalidateQueries(around('journeys', held));
    },
  };
}
