import { importContacts } from '@rapport/contract';
import { useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { about } from '../../../api/ask.ts';
import { useRights } from '../../../api/session/rights.ts';
import { useApi } from '../../../api/session/session.tsx';
import { useGoOn } from '../../../shared/use-go-on.ts';
import type { Checked } from '../check/checker.ts';
import type { FileHead } from '../file/read-file.ts';
import { bodyOf } from './body.ts';
import { keysIn } from './mapping.ts';
import type { ForAll, Known, MappedColumn } from './mapping-target.ts';
import { outgoingOf } from './outgoing.ts';
import { keepMapping } from './remembered.ts';

export type Sending = { state: 'reading'; share: number } | { state: 'sending' };

/** Reads the file, sends it, and opens the page that shows its progress: from there on the service works alone. */
export function useImport(file: Blob, head: FileHead, known: Known, onSent: () => void) {
  const api = useApi();
  const queries = useQueryClient();
  const goOn = useGoOn();
  const tenantId = useRights().me?.workspace.tenantId;
  const [sending, setSending] = useState<Sending>();
  const [error, setError] = useState<Error>();
  const aborting = useRef<AbortController>(undefined);
  const start = async (columns: readonly MappedColumn[], forAll: ForAll, { listIds, isUneven }: Checked) => {
    aborting.current = new AbortController();
    const { signal } = aborting.current;
    setError(undefined);
    setSending({ state: 'reading', share: 0 });
    try {
      const onRead = (share: number) => setSending({ state: 'reading', share });
      const outgoing = outgoingOf(columns, forAll, known, listIds);
      const body = await bodyOf(file, head, outgoing, onRead, signal, isUneven);
      const query = { columns: outgoing.plan, fileName: nameOf(file) };
      setSending({ state: 'sending' });
      const { data } = await api.call(importContacts, { query, body, contentType: 'text/csv', signal });
      onSent();
      if (tenantId !== undefined) keepMapping(globalThis.localStorage, tenantId, columns);
      for (const subject of ['imports', 'properties', 'lists', 'suppressions'] as const)
        void queries.invalidateQueries(about(subject));
      const brought = encodeURIComponent(keysIn(columns, known).join(','));
      goOn(`/imports/${data.transactionId}?properties=${brought}`);
    } catch (cause) {
      setSending(undefined);
      if (!signal.aborted) setError(cause as Error);
    }
  };
  return { sending, error, start, stop: () => aborting.current?.abort() };
}

/** Pasted rows have none. */
function nameOf(file: Blob): string | undefined {
  return file instanceof File ? file.name.replace(/\p{Cc}/gu, '').slice(0, 255) : undefined;
}
