import { listProperties } from '@rapport/contract';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { rowsOf } from '../../../api/ask.ts';
import { allLists, allTopics } from '../../../api/everything.ts';
import { useApi } from '../../../api/session/session.tsx';
import type { Known } from '../mapping/mapping-target.ts';
import { type FileHead, readHead } from './read-file.ts';

const none: ReadonlyMap<string, string> = new Map();

/** The head of a file, and the existing properties and topics: all are needed for good guesses, and are read in parallel. */
export function useFileHead(file: Blob | undefined) {
  const api = useApi();
  const [read, setRead] = useState<{ file: Blob; head?: FileHead; error?: Error }>();
  const properties = useQuery({
    ...rowsOf(api, listProperties, { query: { of: 'contact', pageSize: 200 } }),
    select: (all): Known['types'] => new Map(all.map(({ key, types }) => [key, types[0]])),
  });
  const topics = useQuery({
    ...allTopics(api),
    select: (all): Known['topics'] => new Map(all.map(({ key, name }) => [key, name])),
  });
  const lists = useQuery({
    ...allLists(api),
    select: (all): Known['lists'] =>
      new Map(all.flatMap((list) => (list.type === 'static' ? [[list.staticListId, list.name] as const] : []))),
  });
  const isKnown = !properties.isPending && !topics.isPending && !lists.isPending;
  useEffect(() => {
    if (!file) return;
    let isWanted = true;
    readHead(file).then(
      (head) => isWanted && setRead({ file, head }),
      (error: Error) => isWanted && setRead({ file, error }),
    );
    return () => {
      isWanted = false;
    };
  }, [file]);
  const isThis = read !== undefined && read.file === file;
  return {
    head: isThis ? read.head : undefined,
    known: isKnown
      ? { types: properties.data ?? none, topics: topics.data ?? none, lists: lists.data ?? none }
      : undefined,
    error: isThis ? read.error : undefined,
  };
}
