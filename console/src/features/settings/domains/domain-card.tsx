import { Button, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { checkWorkspaceDomain, removeWorkspaceDomain } from '@rapport/contract';
import { useEffect, useRef } from 'react';
import { useApi } from '../../../api/session/session.tsx';
import { Card } from '../../../shared/card.tsx';
import { CopyButton } from '../../../shared/copy-button.tsx';
import { ConfirmDialog } from '../../../shared/form/confirm-dialog.tsx';
import { useAction } from '../../../shared/form/use-action.ts';
import { ToneBadge } from '../../../shared/tone-badge.tsx';
import { domains as t } from '../../../texts/settings-sending.ts';
import classes from './domain-card.module.css';
import { inShort, recordsText, type SendingDomain } from './domain-words.ts';
import { RecordsTable } from './records-table.tsx';
import { ShareLink } from './share-link.tsx';

interface DomainCardProps {
  domain: SendingDomain;
  mayChange: boolean;
  isOpen: boolean;
  /** Just added: the user is looking for it. */
  isNew: boolean;
  onRemoved: () => void;
}

/** A domain: whether receivers trust it, in a sentence, and which records to publish. */
export function DomainCard({ domain, mayChange, isOpen, isNew, onRemoved }: DomainCardProps) {
  const place = useRef<HTMLDivElement>(null);
  // After the dialog has returned the focus.
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
          <>
            <RecordsTable domain={domain.domain} records={domain.records} />
            <div className={classes.tools}>
              <CopyButton text={recordsText(domain.records)} label={t.copyAll} />
              {mayChange && <ShareLink domain={domain} />}
            </div>
          </>
        )}
      </Card>
    </div>
  );
}

function Actions({ domain, onRemoved }: Pick<DomainCardProps, 'domain' | 'onRemoved'>) {
  const api = useApi();
  const [isLeaving, leaving] = useDisclosure(false);
  const { domain: name } = domain;
  const check = useAction({
    act: async () => (await api.call(checkWorkspaceDomain, { params: { domain: name } })).data,
    refresh: ['workspace', 'sending'],
    said: ({ status }) => t.checked(name, status === 'verified'),
  });
  return (
    <>
      <Button variant="default" size="xs" onClick={leaving.open}>
        {t.remove}
      </Button>
      <Button variant="default" size="xs" loading={check.isPending} onClick={() => check.mutate()}>
        {t.check}
      </Button>
      {isLeaving && (
        <ConfirmDialog
          title={t.removeTitle(name)}
          text={t.removeText}
          confirm={t.remove}
          act={() => api.call(removeWorkspaceDomain, { params: { domain: name } })}
          onDone={onRemoved}
          refresh={['workspace', 'sending']}
          said={t.removed(name)}
          onClose={leaving.close}
        />
      )}
    </>
  );
}
