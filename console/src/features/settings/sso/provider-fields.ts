// The fields of the identity provider form, and the request made from them.
import type { DataValue, listIdentityProviders, Role } from '@rapport/contract';
import { type Faults, wanted } from '../../../shared/form/faults.ts';
import { sso as t } from '../../../texts/settings-access.ts';

export type IdentityProvider = DataValue<typeof listIdentityProviders>;

interface ProviderFields {
  name: string;
  issuer: string;
  clientId: string;
  clientSecret: string;
  domains: string[];
  joinsAs: Role | '';
  isRequired: boolean;
}

export function fieldsOf(provider: IdentityProvider | undefined): ProviderFields {
  return {
    name: provider?.name ?? '',
    issuer: provider?.issuer ?? '',
    clientId: provider?.clientId ?? '',
    clientSecret: '',
    domains: [...(provider?.domains ?? [])],
    joinsAs: provider?.joinsAs ?? '',
    isRequired: provider?.isRequired ?? false,
  };
}

/** An empty secret is left out: a new provider then has none, and an existing one keeps its own. */
export function bodyOf({ clientSecret, joinsAs, domains, ...fields }: ProviderFields) {
  return {
    name: fields.name.trim(),
    issuer: fields.issuer.trim(),
    clientId: fields.clientId.trim(),
    domains: domains.map((domain) => domain.trim().toLowerCase()),
    isRequired: fields.isRequired,
    joinsAs: joinsAs === '' ? null : joinsAs,
    ...(clientSecret.trim() === '' ? {} : { clientSecret: clientSecret.trim() }),
  };
}

export function missingIn({ name, issuer, clientId, domains }: ProviderFields): Faults<keyof ProviderFields> {
  return {
    name: wanted(name, t.enterName),
    issuer: /^https:\/\/./i.test(issuer.trim()) ? undefined : t.enterIssuer,
    clientId: wanted(clientId, t.enterClientId),
    domains: domains.length > 0 ? undefined : t.enterDomain,
  };
}
