import { Button, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { notifications } from '@mantine/notifications';
import { checkWorkspaceDomain, removeWorkspaceDomain } from '@rapport/contract';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { about } from '../../../api/ask.ts';
import { useApi } from '../../../api/session/session.tsx';
import { Card } from '../../../shared/card.tsx';
import { ConfirmAction } from '../../../shared/confirm-action.tsx';
import { ToneBadge } from '../../../shared/tone-badge.tsx';
import { domains as t } from '../../../texts/settings-sending.ts';
import classes from './domain-card.module.css';
import { inShort, type SendingDomain } from './domain-words.ts';
import { RecordRow } from './record-row.tsx';

interface DomainCardProps {
  domain: SendingDomain;
  mayChange: boolean;
  isOpen: boolean;
  /** Just added: it is what people look for. */
  isNew: boolean;
  onRemoved: () => void;
}

/** A domain: whether receivers trust it, in a sentence, and what to publish. */
export function DomainCard({ domain, mayChange, isOpen, isNew, onRemoved }: DomainCardProps) {
  const place = useRef<HTMLDivElement>(null);
  // After the dialog has given the focus back.
  useEffect(() => {
    if (!isNew) return;
    const later = setTimeout(() => place.current?.focus());
    return () => clearTimeout(later);
  }, [isNew]);
  const [shown, records] = useDisclosure(isOpen);
  const isVerified = domain.status === 'verified';
  return (
    <div ref={place} tabIndex={-1} className={classes.place} data-new={isNew || undefined}>
      <Card
        title={domain.domain}
        actions={
          <>
            {mayChange && <Actions domain={domain} onRemoved={onRemoved} />}
            <Button variant="subtle" color="gray" size="xs" onClick={records.toggle} aria-expanded={shown}>
              {shown ? t.hide : t.show}
            </Button>
          </>
        }
      >
        <div className={classes.summary}>
          <ToneBadge tone={isVerified ? 'good' : 'warn'}>{isVerified ? t.verified : t.unverified}</ToneBadge>
          <Text c="dimmed">{inShort(domain)}</Text>
        </div>
        {shown && (
          <ul className={classes.records}>
            {domain.records.map((record) => (
              <RecordRow key={`${record.purpose} ${record.type} ${record.name}`} record={record} />
            ))}
          </ul>
        )}
      </Card>
    </div>
  );
}

function Actions({ domain, onRemoved }: Pick<DomainCardProps, 'domain' | 'onRemoved'>) {
  const api = useApi();
  const queries = useQueryClient();
  const [leaving, setLeaving] = useState<SendingDomain>();
  const params = { domain: domain.domain };
  const refresh = () => {
    void queries.invalidateQueries(about('workspace'));
    void queries.invalidateQueries(about('sending'));
  };
  const check = useMutation({
    mutationFn: async () => (await api.call(checkWorkspaceDomain, { params })).data,
    onSuccess: ({ status }) => {
      refresh();
      notifications.show({ message: t.checked(domain.domain, status === 'verified') });
    },
    onError: ({ message }) => notifications.show({ message, color: 'red' }),
  });
  return (
    <>
      <Button variant="default" size="xs" onClick={() => setLeaving(domain)}>
        {t.remove}
      </Button>
      <Button variant="default" size="xs" loading={check.isPending} onClick={() => check.mutate()}>
        {t.check}
      </Button>
      <ConfirmAction
        subject={leaving}
        title={({ domain: name }) => t.removeTitle(name)}
        text={() => t.removeText}
        confirm={t.remove}
        act={() => api.call(removeWorkspaceDomain, { params })}
        onDone={({ domain: name }) => {
          refresh();
          onRemoved();
          notifications.show({ message: t.removed(name) });
        }}
        onClose={() => setLeaving(undefined)}
      />
    </>
  );
}
