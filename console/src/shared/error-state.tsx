import { Button, Text, Title } from '@mantine/core';
import { ApiFailure } from '@rapport/client';
import { AlertIcon } from './icons.tsx';
import classes from './states.module.css';

interface ErrorStateProps {
  error: Error;
  onRetry?: () => void;
  compact?: boolean;
}

/** Something could not be read: the API's own sentence, and the id that support asks for. */
export function ErrorState({ error, onRetry, compact = false }: ErrorStateProps) {
  const missing = error instanceof ApiFailure && error.status === 404;
  return (
    <div role="alert" className={`${classes.state} ${compact ? classes.compact : ''}`}>
      <div className={`${classes.sign} ${classes.bad}`}>
        <AlertIcon size={20} />
      </div>
      <Title order={2}>{missing ? 'Not found' : 'This did not work'}</Title>
      <Text className={classes.text}>
        {missing ? `${error.message} It may have been deleted, or belong to another workspace.` : error.message}
      </Text>
      {error instanceof ApiFailure && error.status >= 500 && error.requestId && (
        <Text size="xs" className={classes.text}>
          Request {error.requestId}
        </Text>
      )}
      {onRetry && !missing && (
        <div className={classes.actions}>
          <Button variant="default" onClick={onRetry}>
            Try again
          </Button>
        </div>
      )}
    </div>
  );
}
