// Which page an address shows. Every page is loaded when it is first opened.
import { lazy, Suspense } from 'react';
import { Redirect, Route, Switch } from 'wouter';
import { SignInPage } from './features/sign-in/sign-in-page.tsx';
import { useSession } from './session/session.tsx';
import { EmptyState } from './shared/empty-state.tsx';
import { LoadingState } from './shared/loading-state.tsx';
import { Shell } from './shell/shell.tsx';

const EmailsPage = lazy(() => import('./features/emails/list/emails-page.tsx'));
const EmailPage = lazy(() => import('./features/emails/email-page.tsx'));
const OutboxPage = lazy(() => import('./features/outbox/outbox-page.tsx'));
const MessagePage = lazy(() => import('./features/outbox/message-page.tsx'));

export function App() {
  const { api, isKnown } = useSession();
  if (!isKnown) return <LoadingState label="Looking whether you are signed in" />;
  // The address stays: after signing in the person is where the link led.
  if (!api) return <SignInPage />;
  return (
    <Shell>
      <Suspense fallback={<LoadingState label="Loading the page" />}>
        <Switch>
          <Route path="/">
            <Redirect to="/emails" replace />
          </Route>
          <Route path="/emails">
            <EmailsPage />
          </Route>
          <Route path="/emails/:id/:tab?">
            {({ id, tab }) => <EmailPage key={id} id={id} tab={tab ?? 'content'} />}
          </Route>
          <Route path="/outbox">
            <OutboxPage />
          </Route>
          <Route path="/outbox/:messageId">{({ messageId }) => <MessagePage messageId={decoded(messageId)} />}</Route>
          <Route>
            <EmptyState title="There is no such page" text="The address may be old or mistyped." />
          </Route>
        </Switch>
      </Suspense>
    </Shell>
  );
}

/** wouter leaves `%40` and its like as they are. */
function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}
