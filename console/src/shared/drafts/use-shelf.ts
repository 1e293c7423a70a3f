import { useMemo } from 'react';
import { useRights } from '../../api/session/rights.ts';
import { drafts, type Keeper } from './kept-draft.ts';

/** The place in this browser where a draft of this user in this workspace is kept. */
export function useShelf<Value>(name: string) {
  const { me } = useRights();
  const [tenantId, accountId] = [me?.workspace.tenantId, me?.account.accountId];
  return useMemo(() => {
    const at = <Result>(act: (keeper: Keeper) => Result) =>
      tenantId === undefined || accountId === undefined ? undefined : act({ tenantId, accountId });
    return {
      /** False until the owner of the drafts is known. */
      isKnown: tenantId !== undefined,
      find: () => at((keeper) => drafts.find<Value>(keeper, name)),
      keep: (value: Value, base: string | null) => at((keeper) => drafts.keep(keeper, name, value, base)),
      forget: () => at((keeper) => drafts.forget(keeper, name)),
    };
  }, [name, tenantId, accountId]);
}
