// Who is signed in. The token is kept in memory; for the tab only when asked, so that a reload does not sign out.
import type { Client } from '@rapport/client';
import { useQueryClient } from '@tanstack/react-query';
import { createContext, type ReactNode, useCallback, useContext, useMemo, useState } from 'react';
import { createApi } from '../api.ts';

const storageKey = 'rapport-token';

interface Session {
  api: Client | undefined;
  /** Why the person is at the sign-in page again. */
  notice: string | undefined;
  signIn(token: string, keepForTab: boolean): void;
  signOut(notice?: string): void;
}

const SessionContext = createContext<Session | undefined>(undefined);

export function SessionProvider({ children }: { children: ReactNode }) {
  const queries = useQueryClient();
  const [token, setToken] = useState(() => sessionStorage.getItem(storageKey) ?? undefined);
  const [notice, setNotice] = useState<string>();
  const signOut = useCallback(
    (why?: string) => {
      sessionStorage.removeItem(storageKey);
      setToken(undefined);
      setNotice(why);
      queries.clear();
    },
    [queries],
  );
  const signIn = useCallback((given: string, keepForTab: boolean) => {
    if (keepForTab) sessionStorage.setItem(storageKey, given);
    setNotice(undefined);
    setToken(given);
  }, []);
  const api = useMemo(
    () =>
      token ? createApi(token, () => signOut('You were signed out: the token is no longer accepted.')) : undefined,
    [token, signOut],
  );
  const session = useMemo(() => ({ api, notice, signIn, signOut }), [api, notice, signIn, signOut]);
  return <SessionContext value={session}>{children}</SessionContext>;
}

export function useSession(): Session {
  const session = useContext(SessionContext);
  if (!session) throw new Error('There is no SessionProvider above.');
  return session;
}

/** For pages behind the sign-in. */
export function useApi(): Client {
  const { api } = useSession();
  if (!api) throw new Error('Nobody is signed in.');
  return api;
}
