import { Button, Title } from '@mantine/core';
import { checkIdentityProviderDomains } from '@rapport/contract';
import { useApi } from '../../../api/session/session.tsx';
import { useAction } from '../../../shared/form/use-action.ts';
import { ToneBadge } from '../../../shared/tone-badge.tsx';
import { sso as t } from '../../../texts/settings-access.ts';
import classes from '../domains/domain-card.module.css';
import { RecordPart, RecordTable } from '../domains/records-table.tsx';
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
      <Title order={3} mt="lg" mb={4}>
        {t.proofs}
      </Title>
      <p className={classes.detail}>{t.proofsNote}</p>
      <RecordTable label={t.records} titles={[t.domain, t.recordType, t.recordName, t.recordValue]}>
        {provider.domainProofs.map((proof) => (
          <ProofRow key={proof.domain} proof={proof} />
        ))}
      </RecordTable>
      {mayChange && (
        <Button variant="default" size="xs" mt="sm" loading={check.isPending} onClick={() => check.mutate()}>
          {t.check}
        </Button>
      )}
    </section>
  );
}

function ProofRow({ proof: { domain, record, isProven, state, detail } }: { proof: Proof }) {
  return (
    <tr>
      <td>
        <span className={classes.about}>
          <strong>{domain}</strong>
          <ToneBadge tone={isProven ? 'good' : state === 'unknown' ? 'quiet' : 'bad'}>
            {isProven ? t.proven : t.unproven}
          </ToneBadge>
        </span>
        <span className={classes.detail}>{detail}</span>
      </td>
      <td className={classes.code} data-label={t.recordType}>
        {record.type}
      </td>
      <td data-label={t.recordName}>
        <RecordPart text={record.name} copy={t.copyName(domain)} />
      </td>
      <td data-label={t.recordValue}>
        <RecordPart text={record.value} copy={t.copyValue(domain)} />
      </td>
    </tr>
  );
}
