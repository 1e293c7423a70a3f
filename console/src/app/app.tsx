import { lazy, Suspense } from 'react';
import { Route, Switch, useLocation } from 'wouter';
import { useSession } from '../api/session/session.tsx';
import { ErrorBoundary } from '../shared/error-boundary.tsx';
import { LoadingState } from '../shared/loading-state.tsx';
import { NoPage } from '../shared/no-page.tsx';
import { t } from '../texts/shared.ts';
import { pages } from './pages.ts';
import { Shell } from './shell/shell.tsx';

// Most people who open the console are signed in.
const SignInPage = lazy(() => import('../pages/sign-in-page.tsx'));

export function App() {
  const { api, isKnown, who } = useSession();
  const [path] = useLocation();
  if (!isKnown) return <LoadingState label={t.loading} />;
  // The address stays, so that after signing in the user is where the link led.
  if (!api)
    return (
      <Suspense fallback={<LoadingState label={t.loading} />}>
        <SignInPage />
      </Suspense>
    );
  return (
    // Selections and input of one workspace do not belong to another.
    <Shell key={who?.workspace.tenantId}>
      {/* If one page crashes, the others stay reachable. */}
      <ErrorBoundary key={path}>
        <Suspense fallback={<LoadingState label={t.loadingPage} />}>
          <Switch>
            {pages.map(({ path, Page }) => (
              <Route key={path} path={path}>
                {(params) => <Page params={decoded(params)} />}
              </Route>
            ))}
            <Route>
              <NoPage />
            </Route>
          </Switch>
        </Suspense>
      </ErrorBoundary>
    </Shell>
  );
}

/** wouter does not decode `%40` and the like. */
function decoded(params: Record<string, string | undefined>): Record<string, string | undefined> {
  return Object.fromEntries(
    Object.entries(params).map(([name, text]) => {
      try {
        return [name, text === undefined ? undefined : decodeURIComponent(text)];
      } catch {
        return [name, text];
      }
    }),
  );
}
