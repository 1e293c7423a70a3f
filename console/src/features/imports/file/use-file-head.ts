import { listProperties, listTopics } from '@rapport/contract';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { rowsOf } from '../../../api/ask.ts';
import { useApi } from '../../../api/session/session.tsx';
import type { Known } from '../mapping/mapping.ts';
import { type FileHead, readHead } from './read-file.ts';

/** The head of a file, and the existing properties and topics: all are needed for good guesses, and are read in parallel. */
export function useFileHead(file: Blob | undefined) {
  const api = useApi();
  const [read, setRead] = useState<{ file: Blob; head?: FileHead; error?: Error }>();
  const properties = useQuery({
    ...rowsOf(api, listProperties, { query: { of: 'contact', pageSize: 200 } }),
    select: (all): Known['types'] => new Map(all.map(({ key, types }) => [key, types[0]])),
  });
  const topics = useQuery({
    ...rowsOf(api, listTopics, { query: { pageSize: 200 } }),
    select: (all): Known['topics'] => new Map(all.map(({ key, name }) => [key, name])),
  });
  const isKnown = !properties.isPending && !topics.isPending;
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
      ? { types: properties.data ?? new Map<string, string>(), topics: topics.data ?? new Map<string, string>() }
      : undefined,
    error: isThis ? read.error : undefined,
  };
}
