import { Button } from '@mantine/core';
import { deleteIdentityProvider } from '@rapport/contract';
import { useState } from 'react';
import { useApi } from '../../../api/session/session.tsx';
import { Card } from '../../../shared/card.tsx';
import { CopyButton } from '../../../shared/copy-button.tsx';
import { FactList } from '../../../shared/facts/fact-list.tsx';
import { ConfirmDialog } from '../../../shared/form/confirm-dialog.tsx';
import { ToneBadge } from '../../../shared/tone-badge.tsx';
import { roleNames } from '../../../texts/settings.ts';
import { sso as t } from '../../../texts/settings-access.ts';
import classes from '../settings.module.css';
import { DomainProofs } from './domain-proofs.tsx';
import { ProviderDialog } from './provider-dialog.tsx';
import type { IdentityProvider } from './provider-fields.ts';

export function ProviderCard({ provider, mayChange }: { provider: IdentityProvider; mayChange: boolean }) {
  const address = (text: string, label: string) => (
    <span className={classes.badges}>
      <span className={classes.code}>{text}</span>
      <CopyButton text={text} label={label} size="compact-xs" />
    </span>
  );
  return (
    <Card title={provider.name} actions={mayChange && <Actions provider={provider} />}>
      <FactList
        facts={[
          { name: t.issuer, value: provider.issuer, isCode: true },
          { name: t.clientId, value: provider.clientId, isCode: true },
          { name: t.domains, value: provider.domains.join(', ') },
          {
            name: t.required,
            value: (
              <ToneBadge tone={provider.isRequired ? 'good' : 'quiet'}>
                {provider.isRequired ? t.required : t.optional}
              </ToneBadge>
            ),
          },
          { name: t.joinsAs, value: provider.joinsAs ? t.joinsRole(roleNames[provider.joinsAs]) : t.joinsNobody },
          { name: t.callbackUrl, value: address(provider.callbackUrl, t.copyCallback) },
          { name: t.signInUrl, value: address(provider.signInUrl, t.copySignIn) },
        ]}
      />
      <DomainProofs provider={provider} mayChange={mayChange} />
    </Card>
  );
}

function Actions({ provider }: { provider: IdentityProvider }) {
  const api = useApi();
  const [open, setOpen] = useState<'edit' | 'remove'>();
  const close = () => setOpen(undefined);
  return (
    <>
      <Button variant="default" size="xs" onClick={() => setOpen('remove')}>
        {t.remove}
      </Button>
      <Button variant="default" size="xs" onClick={() => setOpen('edit')}>
        {t.edit}
      </Button>
      {open === 'edit' && <ProviderDialog provider={provider} onClose={close} />}
      {open === 'remove' && (
        <ConfirmDialog
          title={t.removeTitle(provider.name)}
          text={t.removeText}
          confirm={t.remove}
          act={() => api.call(deleteIdentityProvider, { params: { providerId: provider.providerId } })}
          refresh={['identity-providers']}
          said={t.removed(provider.name)}
          onClose={close}
        />
      )}
    </>
  );
}
