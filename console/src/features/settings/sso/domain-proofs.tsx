import { Button } from '@mantine/core';
import { checkIdentityProviderDomains } from '@rapport/contract';
import { useApi } from '../../../api/session/session.tsx';
import { Breakable } from '../../../shared/breakable.tsx';
import { CopyButton } from '../../../shared/copy-button.tsx';
import { useAction } from '../../../shared/form/use-action.ts';
import { ToneBadge } from '../../../shared/tone-badge.tsx';
import { sso as t } from '../../../texts/settings-access.ts';
import classes from '../domains/domain-card.module.css';
import type { IdentityProvider } from './provider-fields.ts';

type Proof = IdentityProvider['domainProofs'][number];

/** The record to publish so that people with an address of the domain are sent here, and the result of the last check. */
export function DomainProofs({ provider, mayChange }: { provider: IdentityProvider; mayChange: boolean }) {
  const api = useApi();
  const check = useAction({
    act: async () =>
      (await api.call(checkIdentityProviderDomains, { params: { providerId: provider.providerId } })).data,
    refresh: ['identity-providers'],
    said: ({ domainProofs }) => t.checked(domainProofs.filter(({ isProven }) => !isProven).length),
  });
  return (
    <section aria-label={t.proofs}>
      <p className={classes.detail}>{t.proofsNote}</p>
      <ul className={classes.records}>
        {provider.domainProofs.map((proof) => (
          <ProofRow key={proof.domain} proof={proof} />
        ))}
      </ul>
      {mayChange && (
        <Button variant="default" size="xs" mt="sm" loading={check.isPending} onClick={() => check.mutate()}>
          {t.check}
        </Button>
      )}
    </section>
  );
}

function ProofRow({ proof }: { proof: Proof }) {
  const { domain, record, isProven } = proof;
  return (
    <li className={classes.record}>
      <div className={classes.about}>
        <strong>{domain}</strong>
        <ToneBadge tone={isProven ? 'good' : proof.state === 'unknown' ? 'quiet' : 'bad'}>
          {isProven ? t.proven : t.unproven}
        </ToneBadge>
        <span className={classes.detail}>{proof.detail}</span>
      </div>
      <dl className={classes.parts}>
        <dt>{t.recordType}</dt>
        <dd className={classes.code}>{record.type}</dd>
        <dt>{t.recordName}</dt>
        <dd>
          <span className={classes.code}>
            <Breakable text={record.name} />
          </span>
          <CopyButton text={record.name} size="compact-xs" flex="none" aria-label={t.copyName(domain)} />
        </dd>
        <dt>{t.recordValue}</dt>
        <dd>
          <span className={classes.code}>{record.value}</span>
          <CopyButton text={record.value} size="compact-xs" flex="none" aria-label={t.copyValue(domain)} />
        </dd>
      </dl>
    </li>
  );
}
