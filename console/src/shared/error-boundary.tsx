// Catches a page that crashes: says so, keeps the other pages reachable, and distinguishes an upgrade from a bug.
import { Button, Group } from '@mantine/core';
import { Component, type ReactNode } from 'react';
import { t } from '../texts/shared.ts';
import { EmptyState } from './empty-state.tsx';
import { AlertIcon } from './icons.tsx';

interface State {
  error: Error | undefined;
}

export class ErrorBoundary extends Component<{ children: ReactNode }, State> {
  override state: State = { error: undefined };

  static getDerivedStateFromError(error: Error): State {
    return { error };
  }

  override render(): ReactNode {
    const { error } = this.state;
    if (!error) return this.props.children;
    const isUpgrade = isMissingChunk(error);
    return (
      <div role="alert">
        <EmptyState
          icon={<AlertIcon size={20} />}
          title={isUpgrade ? t.upgraded : t.pageBroke}
          text={isUpgrade ? t.upgradedText : `${t.pageBrokeText} (${error.message})`}
        >
          <Group gap="xs" justify="center">
            {!isUpgrade && (
              <Button variant="default" onClick={() => this.setState({ error: undefined })}>
                {t.tryAgain}
              </Button>
            )}
            <Button onClick={() => location.reload()}>{t.reload}</Button>
          </Group>
        </EmptyState>
      </div>
    );
  }
}

/** A file that the service no longer has, or that did not load. Browsers each use their own words for it. */
function isMissingChunk(error: Error): boolean {
  return /dynamically imported module|Importing a module script failed|error loading dynamically/i.test(error.message);
}
