import { useMemo } from 'react';
import { useRights } from '../../../session/rights.ts';
import { drafts } from '../../../shared/drafts/kept-draft.ts';
import type { JsonObject } from '../journey-api.ts';

/** The place in this browser where the draft of this journey is kept. */
export function useShelf(id: string) {
  const { me } = useRights();
  const tenantId = me?.workspace.tenantId;
  return useMemo(() => {
    const name = `journey:${id}`;
    const at = <Result>(act: (tenant: number) => Result) => (tenantId === undefined ? undefined : act(tenantId));
    return {
      isKnown: tenantId !== undefined,
      find: () => at((tenant) => drafts.find<JsonObject>(tenant, name)),
      keep: (value: JsonObject, base: string | null) => at((tenant) => drafts.keep(tenant, name, value, base)),
      forget: () => at((tenant) => drafts.forget(tenant, name)),
    };
  }, [id, tenantId]);
}
