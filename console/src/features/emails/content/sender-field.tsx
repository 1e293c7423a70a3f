// The address of the sender: a local part at a domain that may send.
import { Anchor, Select, Text, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'wouter';
import { useRights } from '../../../api/session/rights.ts';
import { useApi } from '../../../api/session/session.tsx';
import { t } from '../../../texts/emails.ts';
import { domainsQuery } from '../email-queries.ts';
import { partsOf, withDomain, withLocal } from './sender-address.ts';
import classes from './sender-field.module.css';

interface SenderFieldProps {
  value: string;
  error?: string | undefined;
  isReadOnly?: boolean;
  onChange: (address: string) => void;
}

export function SenderField({ value, error, isReadOnly = false, onChange }: SenderFieldProps) {
  const { domains, isKnown } = useSendingDomains();
  const names = domains.map(({ domain }) => domain);
  const { local, domain } = partsOf(value);
  const choices = domains.map(({ domain: each }) => ({ value: each, label: each }));
  const isUnverified = domains.some(({ domain: each, status }) => each === domain && status !== 'verified');
  // A domain that was approved once stays visible.
  if (domain && isKnown && !names.includes(domain)) choices.push({ value: domain, label: t.notApproved(domain) });
  const fault = error ?? (domain && isKnown && !names.includes(domain) ? t.unapproved(domain) : undefined);
  return (
    <div>
      <div className={classes.parts}>
        <TextInput
          label={t.fromLocal}
          required
          className={classes.local ?? ''}
          value={local}
          error={fault !== undefined}
          readOnly={isReadOnly}
          inputMode="email"
          autoComplete="off"
          spellCheck={false}
          placeholder={t.localHint}
          onChange={(event) => onChange(withLocal(value, event.currentTarget.value, names))}
          {...(fault ? { 'aria-describedby': 'sender-fault' } : {})}
        />
        <Select
          aria-label={t.domain}
          className={classes.domain ?? ''}
          leftSection={<span aria-hidden="true">@</span>}
          data={choices}
          value={domain || names[0] || null}
          readOnly={isReadOnly}
          error={fault !== undefined}
          allowDeselect={false}
          searchable={choices.length > 8}
          onChange={(chosen) => chosen && onChange(withDomain(value, chosen))}
        />
      </div>
      {fault && (
        <Text id="sender-fault" size="xs" c="var(--bad)" mt={4}>
          {fault}
        </Text>
      )}
      {isUnverified && !fault && (
        <Text size="xs" c="dimmed" mt={4}>
          {t.unverified(domain)}
        </Text>
      )}
      {isKnown && names.length === 0 && <NoDomains />}
    </div>
  );
}

function useSendingDomains() {
  const api = useApi();
  const { data = [], isSuccess } = useQuery(domainsQuery(api));
  return { domains: data, isKnown: isSuccess };
}

function NoDomains() {
  const { isAdmin } = useRights();
  return (
    <Text size="xs" c="var(--warn)" mt={4}>
      {t.noDomains}{' '}
      {isAdmin ? (
        <Anchor component={Link} href="/settings/domains" inherit underline="always">
          {t.noDomainsAdmin}
        </Anchor>
      ) : (
        t.noDomainsAsk
      )}
    </Text>
  );
}
