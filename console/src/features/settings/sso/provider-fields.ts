// What the form of an identity provider holds, and what becomes of it.
import type { DataValue, listIdentityProviders, Role } from '@rapport/contract';
import type { Faults } from '../../../shared/form/faults.ts';
import { sso as t } from '../../../texts/settings-access.ts';

export type IdentityProvider = DataValue<typeof listIdentityProviders>;

export interface ProviderFields {
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

/** What of it may be kept in a browser. */
export function withoutSecret({ clientSecret: _secret, ...rest }: Partial<ProviderFields>): Partial<ProviderFields> {
  return rest;
}

/** An empty secret is left out: a new provider has none then, and one that is there keeps its own. */
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

export function missingIn(fields: ProviderFields): Faults<keyof ProviderFields> {
  return {
    ...(fields.name.trim() ? {} : { name: t.enterName }),
    ...(/^https:\/\/./i.test(fields.issuer.trim()) ? {} : { issuer: t.enterIssuer }),
    ...(fields.clientId.trim() ? {} : { clientId: t.enterClientId }),
    ...(fields.domains.length > 0 ? {} : { domains: t.enterDomain }),
  };
}
