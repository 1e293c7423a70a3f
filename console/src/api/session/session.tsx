// Who is signed in: by this browser's session, or with a pasted token. A pasted token is kept in memory, or for the tab if the user asks for it,
// so that a reload does not sign out.
import type { Client } from '@rapport/client';
import { getMe } from '@rapport/contract';
import { useQueryClient } from '@tanstack/react-query';
import { createContext, type ReactNode, useCallback, useContext, useEffect, useMemo, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { navigate } from 'wouter/use-browser-location';
import { t } from '../../texts/sign-in.ts';
import { createApi } from '../api.ts';
import { rememberedData } from '../ask.ts';
import { BrowserSession, type Seen, type SignedIn } from './browser-session.ts';

const storageKey = 'rapport-token';

interface Session {
  api: Client | undefined;
  /** False while it is not yet known whether this browser is signed in. */
  isKnown: boolean;
  /** Undefined with a pasted token, which identifies no person. */
  who: SignedIn | undefined;
  /** Why the user is at the sign-in page again. */
  notice: string | undefined;
  signIn(token: string, keepForTab: boolean): void;
  signOut(): void;
  /** The person known to this browser while the tab is not signed in: a session beside a pasted token, or one without a workspace. */
  look(): Promise<Seen | undefined>;
  /** How to create the first person who can sign in: see BrowserSession. */
  findFirstAdmin(): Promise<string[] | undefined>;
  /** Continues with the browser's own session; false if that is not possible. */
  resume(): Promise<boolean>;
  /** Rejects if that is not possible now: the tab stays where it is. */
  enterWorkspace(tenantId: number): Promise<void>;
}

const SessionContext = createContext<Session | undefined>(undefined);
const browser = new BrowserSession();

interface SessionProviderProps {
  /** Called after a user signed out on purpose, not when a session ends by itself. */
  onSignOut(): void;
  children: ReactNode;
}

export function SessionProvider({ onSignOut, children }: SessionProviderProps) {
  const queries = useQueryClient();
  const [token, setToken] = useState(() => sessionStorage.getItem(storageKey) ?? undefined);
  const [who, setWho] = useState<SignedIn>();
  const [isKnown, setKnown] = useState(token !== undefined);
  const [notice, setNotice] = useState<string>();
  useEffect(() => {
    if (isKnown) return;
    browser
      .find()
      .then(setWho, () => undefined)
      .finally(() => setKnown(true));
  }, [isKnown]);
  const forget = useCallback(
    (why?: (as: string) => string) => {
      const me = rememberedData(queries, getMe);
      sessionStorage.removeItem(storageKey);
      setToken(undefined);
      setWho(undefined);
      // A person with several accounts should know which one to sign in with again.
      setNotice(why?.(me ? t.wasAs(me.account.email ?? me.account.name, me.workspace.name) : ''));
      queries.clear();
    },
    [queries],
  );
  const signOut = useCallback(() => {
    if (who) void browser.end().catch(() => undefined);
    forget();
    // Only once the page is gone: it keeps its drafts as it unmounts.
    setTimeout(onSignOut);
  }, [who, forget, onSignOut]);
  const resume = useCallback(async () => {
    const found = await browser.find().catch(() => undefined);
    setWho(found);
    setNotice(undefined);
    return found !== undefined;
  }, []);
  const signIn = useCallback((given: string, keepForTab: boolean) => {
    if (keepForTab) sessionStorage.setItem(storageKey, given);
    setNotice(undefined);
    setToken(given);
  }, []);
  const enterWorkspace = useCallback(
    async (tenantId: number) => {
      const entered = await browser.enter(tenantId);
      if (!entered) return forget(t.sessionGone);
      queries.clear();
      // In one step, so that no page requests things of one workspace from the other: addresses and filters contain ids.
      flushSync(() => {
        navigate(sectionOf(location.pathname), { replace: true });
        setWho(entered);
      });
    },
    [queries, forget],
  );
  const tenantId = who?.workspace.tenantId;
  const shown = useRef(tenantId);
  shown.current = tenantId;
  const api = useMemo(() => {
    if (token) return createApi({ current: async () => token }, () => forget(t.tokenGone));
    if (tenantId === undefined) return undefined;
    return createApi(
      { current: () => browser.token(tenantId), renew: () => browser.renew(tenantId) },
      // A request still running in a workspace that the tab has left ends nothing here.
      () => shown.current === tenantId && forget(t.sessionGone),
    );
  }, [token, tenantId, forget]);
  const session = useMemo(
    () => ({
      api,
      isKnown,
      who,
      notice,
      signIn,
      signOut,
      look: () => browser.look(),
      findFirstAdmin: () => browser.firstAdmin(),
      resume,
      enterWorkspace,
    }),
    [api, isKnown, who, notice, signIn, signOut, resume, enterWorkspace],
  );
  return <SessionContext value={session}>{children}</SessionContext>;
}

/** `/console/emails` for every page below it, because every workspace has that one. */
function sectionOf(path: string): string {
  return path.split('/').slice(0, 3).join('/');
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
