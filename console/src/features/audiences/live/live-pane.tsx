// Beside the builder: the count, the filter in words, five contacts, and why a contact is in or out.
import { Loader, Skeleton, Text } from '@mantine/core';
import { Link } from 'wouter';
import { Card } from '../../../shared/card.tsx';
import { ErrorState } from '../../../shared/error-state.tsx';
import { t } from '../../../texts/audience.ts';
import { whole } from '../../../texts/numbers.ts';
import { faultsOf } from '../builder/filter-builder.tsx';
import { ContactPicker, contactName, useContact } from './contact-picker.tsx';
import classes from './live-pane.module.css';
import { Nodes } from './nodes.tsx';
import type { useExplained, useLivePreview } from './use-live-preview.ts';

interface LivePaneProps {
  preview: ReturnType<typeof useLivePreview>;
  explained: ReturnType<typeof useExplained>;
  contactId: string | undefined;
  onContact: (contactId: string | undefined) => void;
}

export function LivePane({ preview, explained, contactId, onContact }: LivePaneProps) {
  const { data, error, faults, isBehind, isForEverybody, refetch } = preview;
  return (
    <aside className={classes.pane} aria-label={t.result}>
      <Card>
        <div
          aria-live="polite"
          aria-busy={isBehind}
          className={isBehind || faults.length > 0 ? classes.behind : undefined}
        >
          {data ? <Answer {...{ data, isBehind, isForEverybody }} /> : !error && <Waiting />}
        </div>
        {faults.length > 0 && <Text c="dimmed">{t.faulty}</Text>}
        {error && faults.length === 0 && <ErrorState error={error} onRetry={() => void refetch()} compact />}
      </Card>
      <Card title={t.whyFor}>
        <ContactPicker label={t.contact} contactId={contactId} onChange={onContact} />
        <Verdict explained={explained} contactId={contactId} />
      </Card>
    </aside>
  );
}

type Preview = NonNullable<ReturnType<typeof useLivePreview>['data']>;

function Answer(props: { data: Preview; isBehind: boolean; isForEverybody: boolean }) {
  const { data, isBehind, isForEverybody } = props;
  const { count, isExact, sample, text } = data;
  const hasNoContacts = isForEverybody && !isBehind && count === 0;
  return (
    <>
      <p className={classes.count}>
        <strong data-testid="count">{isExact ? whole(count) : t.about(whole(count))}</strong>{' '}
        <span>{count === 1 ? t.contactsOne : t.contacts}</span>
        {isBehind && <Loader size="xs" aria-label={t.answering} />}
      </p>
      {!isExact && <Text c="dimmed">{t.estimate}</Text>}
      <p className={classes.sentence}>{hasNoContacts ? t.noContactsYet : text || t.everybody}</p>
      {hasNoContacts ? null : sample.length === 0 ? (
        <Text c="dimmed">{t.nobody}</Text>
      ) : (
        <ul className={classes.people} aria-label={t.first}>
          {sample.map((contact) => (
            <li key={contact.id}>
              <Link href={`/contacts/${contact.id}`} className={classes.person ?? ''}>
                <span className={classes.name}>{contactName(contact)}</span>
                <span className={classes.email}>{contact.email}</span>
              </Link>
            </li>
          ))}
        </ul>
      )}
    </>
  );
}

function Waiting() {
  return (
    <>
      <Skeleton height={28} width="40%" mb="sm" />
      <Skeleton height={14} mb="xs" />
      <Skeleton height={14} width="70%" mb="md" />
      {[0, 1, 2, 3, 4].map((row) => (
        <Skeleton key={row} height={36} mb="xs" />
      ))}
    </>
  );
}

function Verdict({ explained, contactId }: Pick<LivePaneProps, 'explained' | 'contactId'>) {
  const { data: contact } = useContact(contactId);
  if (contactId === undefined)
    return (
      <Text c="dimmed" mt="xs">
        {t.whyHint}
      </Text>
    );
  if (explained.error && !explained.data)
    return faultsOf(explained.error).length > 0 ? (
      <Text c="dimmed" mt="xs">
        {t.faulty}
      </Text>
    ) : (
      <ErrorState error={explained.error} compact />
    );
  if (!explained.data || !contact) return <Skeleton height={18} mt="sm" />;
  const { holds, nodes } = explained.data;
  return <Nodes name={contactName(contact)} holds={holds} nodes={nodes} />;
}
