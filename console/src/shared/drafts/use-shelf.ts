import { useMemo } from 'react';
import { useRights } from '../../session/rights.ts';
import { useSession } from '../../session/session.tsx';
import { drafts } from './kept-draft.ts';

/** The place in this browser where a draft of this workspace is kept. */
export function useShelf<Value>(name: string) {
  const { me } = useRights();
  const { who } = useSession();
  const tenantId = me?.workspace.tenantId ?? who?.workspace.tenantId;
  return useMemo(() => {
    const at = <Result>(act: (tenant: number) => Result) => (tenantId === undefined ? undefined : act(tenantId));
    return {
      /** False until it is known whose drafts they are. */
      isKnown: tenantId !== undefined,
      find: () => at((tenant) => drafts.find<Value>(tenant, name)),
      keep: (value: Value, base: string | null) => at((tenant) => drafts.keep(tenant, name, value, base)),
      forget: () => at((tenant) => drafts.forget(tenant, name)),
    };
  }, [name, tenantId]);
}
