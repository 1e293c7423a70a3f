// Unsaved work on the definition of a journey.
import type { Answer } from '@rapport/client';
import { getJourney } from '@rapport/contract';
import { useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useMemo } from 'react';
import { answerOf, around } from '../../../api/ask.ts';
import { useApi } from '../../../api/session/session.tsx';
import type { DraftKind } from '../../../shared/drafts/draft.ts';
import { useDraft } from '../../../shared/drafts/use-draft.ts';
import { t } from '../../../texts/journey-canvas.ts';
import { fetchJourney, type JourneyRecord, type JsonObject, patchJourney } from '../journey-api.ts';
import { type Definition, emptyDefinition } from '../model/definition.ts';
import { readDefinition } from '../model/read.ts';
import { sameText } from '../model/same-json.ts';
import { compact } from '../model/ways.ts';

export type InFlight = 'finish' | 'move';
export type JourneyWork = ReturnType<typeof useJourneyWork>;

const writtenOf = (definition: Definition) => compact(definition) as unknown as JsonObject;

function definitionOf(json: unknown): Definition | undefined {
  const read = readDefinition(json);
  return 'problem' in read ? undefined : read.definition;
}

/** Why it cannot be drawn. */
function problemOf(json: unknown): string | undefined {
  const read = readDefinition(json);
  return 'problem' in read ? read.problem : undefined;
}

const kind: DraftKind<Answer<JourneyRecord>, Definition, JsonObject> = {
  read: ({ data }) => definitionOf(data.definition) ?? emptyDefinition,
  isSame: (one, other) => one === other || sameText(compact(one)) === sameText(compact(other)),
  keep: writtenOf,
  restore: definitionOf,
};

export function useJourneyWork(loaded: Answer<JourneyRecord>) {
  const api = useApi();
  const queries = useQueryClient();
  const { journeyId: id } = loaded.data;
  const held = answerOf(api, getJourney, { params: { id } });
  const draft = useDraft<Answer<JourneyRecord>, Definition, JsonObject, string, InFlight>(
    ...([loaded, `journey:${id}`, kind] as const),
    {
      fetch: () => fetchJourney(api, id),
      // For an active journey, the user must choose what happens to contacts in it: overwriting lets them finish.
      send: (value, { data, etag }, inFlight = data.status === 'active' ? 'finish' : undefined) =>
        patchJourney(api, id, { definition: writtenOf(value), ...(inFlight && { inFlight }) }, etag),
      whoSaved: async ({ data }) => data.updatedBy?.name ?? null,
      refusalOf: (error) => error.message,
      conflict: t.notSaved,
      onStored: (stored) => {
        queries.setQueryData(held.queryKey, stored);
        void queries.invalidateQueries(around('journeys', held));
      },
    },
  );
  const { base, value: definition, isDirty, history, refusal, edit, dispatch } = draft;
  // Another part of the page has fetched it again.
  useEffect(() => {
    const [now, known] = [loaded.data, base.data];
    const isNews = now.revision !== known.revision || now.updatedAt !== known.updatedAt;
    if (isNews && now.revision >= known.revision) dispatch({ type: 'reload', stored: loaded });
  }, [loaded, base, dispatch]);
  return {
    ...draft,
    journey: base.data,
    /** With every way written out. */
    definition,
    /** As it would be saved. */
    written: useMemo(() => writtenOf(definition), [definition]),
    problem: useMemo(() => (isDirty ? undefined : problemOf(base.data.definition)), [isDirty, base]),
    canUndo: history.past.length > 0,
    canRedo: history.future.length > 0,
    error: refusal?.sent === definition ? refusal.why : undefined,
    edit: useCallback((next: Definition, about?: string) => edit(() => next, about), [edit]),
    undo: useCallback(() => dispatch({ type: 'undo' }), [dispatch]),
    redo: useCallback(() => dispatch({ type: 'redo' }), [dispatch]),
    acceptDraft: () => dispatch({ type: 'accept' }),
  };
}
