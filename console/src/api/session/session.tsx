// Who is signed in: by this browser's session, or with a pasted token. A pasted token is kept in memory, or for the tab if the user asks for it,
// so that a reload does not sign out.
import type { Client } from '@rapport/client';
import { getMe } from '@rapport/contract';
import { useQueryClient } from '@tanstack/react-query';
import { createContext, type ReactNode, useCallback, useContext, useEffect, useMemo, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { navigate } from 'wouter/use-browser-location';
import { createApi } from '../api.ts';
import { rememberedData } from '../ask.ts';
import { BrowserSession, type Seen, type SignedIn } from './browser-session.ts';
import { onSignedOutElsewhere, tellOtherTabs } from './other-tabs.ts';

const storageKey = 'rapport-token';

/** `out`: on purpose, in this tab or in another one. */
export interface Ending {
  how: 'out' | 'session' | 'token';
  /** Who was signed in, and where, if that is known. A person with several accounts should know which one to sign in with again. */
  was?: { person: string; workspace: string } | undefined;
  /** They had pasted a token. */
  byToken: boolean;
}

interface Session {
  api: Client | undefined;
  /** False while it is not yet known whether this browser is signed in. */
  isKnown: boolean;
  /** Undefined with a pasted token, which identifies no person. */
  who: SignedIn | undefined;
  /** How the last session ended, if this tab had one. */
  ending: Ending | undefined;
  signIn(token: string, keepForTab: boolean): void;
  signOut(): void;
  /** What the service knows about this browser while the tab is not signed in: perhaps a person beside a pasted token, or one without a workspace. */
  look(): Promise<Seen>;
  /** Continues with the browser's own session; false if that is not possible. */
  resume(): Promise<boolean>;
  /** Asks again who it is; the session may have ended. */
  refresh(): Promise<void>;
  /** They have signed out in all browsers. */
  signedOut(): void;
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
  const [ending, setEnding] = useState<Ending>();
  useEffect(() => {
    if (isKnown) return;
    browser
      .find()
      .then(setWho, () => undefined)
      .finally(() => setKnown(true));
  }, [isKnown]);
  const byToken = token !== undefined;
  const forget = useCallback(
    (how: Ending['how']) => {
      const me = rememberedData(queries, getMe);
      sessionStorage.removeItem(storageKey);
      setToken(undefined);
      setWho(undefined);
      const was = me && { person: me.account.email ?? me.account.name, workspace: me.workspace.name };
      setEnding({ how, was, byToken });
      queries.clear();
    },
    [queries, byToken],
  );
  const leave = useCallback(() => {
    forget('out');
    // Only once the page is gone: it keeps its drafts as it unmounts.
    setTimeout(onSignOut);
  }, [forget, onSignOut]);
  const isPerson = who !== undefined;
  const signOut = useCallback(() => {
    if (isPerson) {
      void browser.end().catch(() => undefined);
      tellOtherTabs();
    }
    leave();
  }, [isPerson, leave]);
  // A pasted token belongs to its tab.
  useEffect(() => (isPerson ? onSignedOutElsewhere(leave) : undefined), [isPerson, leave]);
  const resume = useCallback(async () => {
    const found = await browser.find().catch(() => undefined);
    setWho(found);
    setEnding(undefined);
    return found !== undefined;
  }, []);
  const signIn = useCallback((given: string, keepForTab: boolean) => {
    if (keepForTab) sessionStorage.setItem(storageKey, given);
    setEnding(undefined);
    setToken(given);
  }, []);
  const enterWorkspace = useCallback(
    async (tenantId: number) => {
      const entered = await browser.enter(tenantId);
      if (!entered) return forget('session');
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
  const refresh = useCallback(async () => {
    if (tenantId === undefined) return;
    const found = await browser.refresh(tenantId);
    if (found) setWho(found);
    else forget('session');
  }, [tenantId, forget]);
  const signedOut = useCallback(() => {
    tellOtherTabs();
    leave();
  }, [leave]);
  const shown = useRef(tenantId);
  shown.current = tenantId;
  const api = useMemo(() => {
    if (token) return createApi({ current: async () => token }, () => forget('token'));
    if (tenantId === undefined) return undefined;
    return createApi(
      { current: () => browser.token(tenantId), renew: () => browser.renew(tenantId) },
      // A request still running in a workspace that the tab has left ends nothing here.
      () => shown.current === tenantId && forget('session'),
    );
  }, [token, tenantId, forget]);
  const session = useMemo(
    () => ({
      api,
      isKnown,
      who,
      ending,
      signIn,
      signOut,
      look: () => browser.look(),
      resume,
      refresh,
      signedOut,
      enterWorkspace,
    }),
    [api, isKnown, who, ending, signIn, signOut, resume, refresh, signedOut, enterWorkspace],
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
