// What was sent is not stored as a whole; its current look is rendered on demand.
import { Button, Stack, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { previewSavedEmail } from '@rapport/contract';
import { useQuery } from '@tanstack/react-query';
import { dataOf } from '../../api/ask.ts';
import { useApi } from '../../api/session/session.tsx';
import { Card } from '../../shared/card.tsx';
import { ErrorState } from '../../shared/error-state.tsx';
import { LoadingState } from '../../shared/loading-state.tsx';
import { SafePreview } from '../../shared/safe-preview.tsx';
import { t } from '../../texts/messages.ts';
import { t as words } from '../../texts/shared.ts';
import classes from './message.module.css';
import type { Message } from './message.ts';

export function MessagePreview({ message }: { message: Message }) {
  const [isOpen, { toggle }] = useDisclosure(false);
  return (
    <Card
      title={t.preview}
      actions={
        <Button variant="default" size="xs" aria-expanded={isOpen} onClick={toggle}>
          {isOpen ? t.previewHide : t.previewShow}
        </Button>
      }
    >
      <Stack gap="sm">
        <Text c="dimmed" size="sm">
          {t.previewNote}
        </Text>
        {isOpen && <Rendered message={message} />}
      </Stack>
    </Card>
  );
}

function Rendered({ message: { emailId, contactId, sentAt } }: { message: Message }) {
  const api = useApi();
  const query = { contactId: contactId ?? undefined, at: sentAt ?? undefined };
  const { data, error, refetch } = useQuery({
    ...dataOf(api, previewSavedEmail, { params: { id: emailId }, query }),
  });
  if (error) return <ErrorState error={error} onRetry={() => void refetch()} compact />;
  if (!data) return <LoadingState label={words.loading} rows={3} />;
  return (
    <div className={classes.frame}>
      <SafePreview html={data.html} title={t.previewTitle} />
    </div>
  );
}
