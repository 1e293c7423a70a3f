import { Button, Text, Title } from '@mantine/core';
import { ApiFailure } from '@rapport/client';
import { useEffect } from 'react';
import { t } from '../texts/shared.ts';
import { AlertIcon } from './icons.tsx';
import classes from './states.module.css';

interface ErrorStateProps {
  error: Error;
  onRetry?: () => void;
  compact?: boolean;
  /** Of something that is not there, where the API calls it by another name. */
  missing?: string;
}

/** Something could not be read: shows the API's message, and the id that support asks for. Retries by itself once the browser is online again. */
export function ErrorState({ error, onRetry, compact = false, missing = error.message }: ErrorStateProps) {
  const failure = error instanceof ApiFailure ? error : undefined;
  const isMissing = failure?.status === 404 || failure?.errorCode === 'BAS-E-002';
  useEffect(() => {
    if (!onRetry || failure?.status !== 0) return;
    window.addEventListener('online', onRetry);
    return () => window.removeEventListener('online', onRetry);
  }, [onRetry, failure]);
  return (
    <div role="alert" className={`${classes.state} ${compact ? classes.compact : ''}`}>
      <div className={`${classes.sign} ${classes.bad}`}>
        <AlertIcon size={20} />
      </div>
      <Title order={2}>{isMissing ? t.notFound : t.wrong}</Title>
      <Text className={classes.text}>{isMissing ? `${missing} ${t.notFoundText}` : error.message}</Text>
      {failure && failure.status >= 500 && failure.requestId && (
        <Text size="xs" className={classes.text}>
          {t.request(failure.requestId)}
        </Text>
      )}
      {onRetry && !isMissing && (
        <div className={classes.actions}>
          <Button variant="default" onClick={onRetry}>
            {t.tryAgain}
          </Button>
        </div>
      )}
    </div>
  );
}
