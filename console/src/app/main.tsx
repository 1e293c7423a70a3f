import '../theme/styles.ts';
import { localStorageColorSchemeManager, MantineProvider } from '@mantine/core';
import { Notifications } from '@mantine/notifications';
import { notifyManager, QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { setNonce } from 'get-nonce';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { Router } from 'wouter';
import { SessionProvider } from '../api/session/session.tsx';
import { drafts } from '../shared/drafts/kept-draft.ts';
import { ErrorBoundary } from '../shared/error-boundary.tsx';
import { useGuardedLocation } from '../shared/leave-guard.ts';
import { styleNonce } from '../theme/style-nonce.ts';
import { theme } from '../theme/theme.ts';
import { App } from './app.tsx';

// For the library that Mantine's dialogs use to stop the page behind them from scrolling.
setNonce(styleNonce);

const colorSchemes = localStorageColorSchemeManager({ key: 'rapport-color-scheme' });

// Synchronously within the click that started it: until a button is marked busy, a double click would do everything twice.
notifyManager.setScheduler(queueMicrotask);

const queries = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 5_000,
      // The client retries by itself if that can help.
      retry: false,
    },
  },
});

drafts.clear('old');

/** The next user of this browser must not read them. */
const clearDrafts = () => drafts.clear('all');

const root = document.getElementById('root');
if (!root) throw new Error('index.html has no #root.');
createRoot(root).render(
  <StrictMode>
    <MantineProvider
      theme={theme}
      defaultColorScheme="auto"
      colorSchemeManager={colorSchemes}
      getStyleNonce={() => styleNonce}
    >
      <Notifications position="bottom-right" autoClose={6000} />
      <QueryClientProvider client={queries}>
        <SessionProvider onSignOut={clearDrafts}>
          <ErrorBoundary>
            <Router base="/console" hook={useGuardedLocation}>
              <App />
            </Router>
          </ErrorBoundary>
        </SessionProvider>
      </QueryClientProvider>
    </MantineProvider>
  </StrictMode>,
);
