// What the user may do here: pages offer nothing that would be refused.
import { type DataValue, getMe } from '@rapport/contract';
import { useQuery } from '@tanstack/react-query';
import { dataOf } from '../ask.ts';
import { useApi, useSession } from './session.tsx';

type Me = DataValue<typeof getMe>;

interface Rights {
  me: Me | undefined;
  /** False for viewers and for tokens without WRITE: pages are read-only then. */
  canWrite: boolean;
  /** Manages the workspace: people, domains, transport, audit log. */
  isAdmin: boolean;
}

/** Until the response arrives, what the session says; with a pasted token, true. */
export function useRights(): Rights {
  const api = useApi();
  const { who } = useSession();
  const { data: me } = useQuery({
    ...dataOf(api, getMe),
    staleTime: 5 * 60_000,
  });
  const role = me?.account.role ?? who?.workspace.role ?? 'member';
  const mayWrite = me ? me.token.scopes.includes('WRITE') : true;
  return { me, canWrite: role !== 'viewer' && mayWrite, isAdmin: role === 'admin' };
}
