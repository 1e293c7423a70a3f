// Emails, lists, topics, forms and journeys that a journey can name: for its pickers, and for the names on its steps. All asked at once.
import { useQueries } from '@tanstack/react-query';
import { useMemo } from 'react';
import { allEmails, allForms, allJourneys, allLists, allTopics } from '../../../api/everything.ts';
import { useApi } from '../../../api/session/session.tsx';
import type { Names } from '../model/say.ts';

interface Choice {
  readonly value: string;
  readonly label: string;
}
export interface Assets {
  readonly names: Names;
  readonly emails: readonly Choice[];
  readonly staticLists: readonly Choice[];
  readonly dynamicLists: readonly Choice[];
  readonly journeys: readonly Choice[];
  /** Only these can be started. */
  readonly triggerJourneys: readonly Choice[];
  readonly topics: readonly Choice[];
  readonly forms: readonly Choice[];
}

export function useAssets(): Assets {
  const api = useApi();
  const [emails, lists, journeys, topics, forms] = useQueries({
    queries: [allEmails(api), allLists(api), allJourneys(api), allTopics(api), allForms(api)],
  });
  return useMemo(() => {
    const emailChoices = (emails.data ?? []).map(({ emailId, name }) => ({ value: emailId, label: name }));
    const staticLists = (lists.data ?? []).flatMap((list) =>
      list.type === 'static' ? [{ value: list.staticListId, label: list.name }] : [],
    );
    const dynamicLists = (lists.data ?? []).flatMap((list) =>
      list.type === 'dynamic' && list.dynamicListId ? [{ value: list.dynamicListId, label: list.name ?? '' }] : [],
    );
    const all = (journeys.data ?? []).map(({ journeyId, name, type }) => ({ value: journeyId, label: name, type }));
    const topicChoices = (topics.data ?? []).map(({ topicId, name }) => ({ value: topicId, label: name }));
    const formChoices = (forms.data ?? []).map(({ formId, name }) => ({ value: formId, label: name }));
    return {
      ...{ emails: emailChoices, staticLists, dynamicLists, journeys: all, topics: topicChoices, forms: formChoices },
      triggerJourneys: all.filter(({ type }) => type === 'trigger'),
      names: {
        emails: emails.data && namesOf(emailChoices),
        lists: lists.data && namesOf([...staticLists, ...dynamicLists]),
        journeys: journeys.data && namesOf(all),
        topics: topics.data && namesOf(topicChoices),
        forms: forms.data && namesOf(formChoices),
      },
    };
  }, [emails.data, lists.data, journeys.data, topics.data, forms.data]);
}

function namesOf(choices: readonly Choice[]): Map<string, string> {
  return new Map(choices.map(({ value, label }) => [value, label]));
}
