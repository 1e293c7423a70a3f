import { Button, Group, Stack, Text } from '@mantine/core';
import { explainDynamicList } from '@rapport/contract';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'wouter';
import { dataOf } from '../../api/ask.ts';
import { useApi } from '../../api/session/session.tsx';
import { Modal } from '../../shared/dialog.tsx';
import { ErrorState } from '../../shared/error-state.tsx';
import { CheckIcon, CloseIcon } from '../../shared/icons.tsx';
import { LoadingState } from '../../shared/loading-state.tsx';
import { propertyText } from '../../shared/property-text.ts';
import { t } from '../../texts/contact.ts';
import { t as words } from '../../texts/shared.ts';
import { t as why } from '../../texts/why.ts';
import classes from './contact.module.css';
import type { Membership } from './contact-api.ts';

interface ReasonProps {
  contactId: string;
  list: Membership;
  onClose: () => void;
}

/** Why the person is in a list: for a dynamic one, the result of each condition now. */
export function ReasonDialog({ contactId, list, onClose }: ReasonProps) {
  return (
    <Modal opened onClose={onClose} title={t.explainOf(list.name)} size="lg">
      <Stack gap="md">
        {list.type === 'dynamic' ? <Conditions contactId={contactId} listId={list.id} /> : <Text>{t.noReason}</Text>}
        <Group justify="flex-end" gap="xs">
          <Button
            component={Link}
            href={`/why?contact=${contactId}&${list.type === 'dynamic' ? 'dynamicList' : 'staticList'}=${list.id}`}
            variant="default"
          >
            {why.title}
          </Button>
          <Button onClick={onClose} data-autofocus>
            {words.close}
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}

function Conditions({ contactId, listId }: { contactId: string; listId: string }) {
  const api = useApi();
  const { data, error, refetch } = useQuery({
    ...dataOf(api, explainDynamicList, { params: { id: listId }, query: { contactId } }),
  });
  if (error) return <ErrorState error={error} onRetry={() => void refetch()} compact />;
  if (!data) return <LoadingState label={why.finding} rows={3} />;
  return (
    <>
      <ul className={classes.nodes}>
        {data.nodes.map(({ path, text, holds, value }) => (
          <li key={path} style={{ paddingInlineStart: `${depthOf(path) * 1.25}rem` }}>
            <span className={holds ? classes.good : classes.bad}>
              {holds ? <CheckIcon size={14} /> : <CloseIcon size={14} />}
            </span>
            <span>
              {text}{' '}
              {value !== undefined && <span className={classes.found}>{`(${propertyText(value, t.notSet)})`}</span>}
            </span>
          </li>
        ))}
      </ul>
      {data.isMember !== data.holds && <Text c="dimmed">{t.isStale}</Text>}
    </>
  );
}

/** `filter.all[0].any[1]` lies two groups deep. */
const depthOf = (path: string): number => path.split('.').length - 1;
