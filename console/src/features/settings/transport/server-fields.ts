// The fields of the mail server form, and the request made from them.
import type { DataValue, getWorkspaceTransport, TransportSecurity } from '@rapport/contract';
import { type Faults, wanted } from '../../../shared/form/faults.ts';
import { transport as t } from '../../../texts/settings-sending.ts';

export type MailServer = DataValue<typeof getWorkspaceTransport>;

export interface ServerFields {
  host: string;
  port: string | number;
  security: TransportSecurity;
  user: string;
  password: string;
  rate: string | number;
  maxConnections: string | number;
}

/** STARTTLS is what providers ask for, so a new server begins with it. */
export function fieldsOf(server: MailServer | undefined): ServerFields {
  return {
    host: server?.host ?? '',
    port: server?.port ?? usualPort('starttls'),
    security: server?.security ?? 'starttls',
    user: server?.user ?? '',
    password: '',
    rate: server?.rate ?? '',
    maxConnections: server?.maxConnections ?? '',
  };
}

function usualPort(security: TransportSecurity): number {
  return security === 'tls' ? 465 : 587;
}

/** Another encryption, with its usual port unless another was chosen. */
export function withSecurity(
  { port, security: before }: Pick<ServerFields, 'port' | 'security'>,
  security: TransportSecurity,
): Pick<ServerFields, 'port' | 'security'> {
  return { security, port: port === '' || Number(port) === usualPort(before) ? usualPort(security) : port };
}

const numberOf = (value: string | number) => (value === '' ? undefined : Number(value));

/** An empty password is left out: the service keeps the one it has. */
export function serverOf({ host, port, security, user, password }: ServerFields) {
  return {
    ...{ host: host.trim(), security },
    ...(port === '' ? {} : { port: Number(port) }),
    user: user.trim() === '' ? null : user.trim(),
    ...(password === '' ? {} : { password }),
  };
}

export function bodyOf(fields: ServerFields) {
  return { ...serverOf(fields), rate: numberOf(fields.rate), maxConnections: numberOf(fields.maxConnections) };
}

/** @param kept the stored server, whose password stays while host and user do. */
export function missingIn(fields: ServerFields, kept: MailServer | undefined): Faults<keyof ServerFields> {
  const { host, user, password } = fields;
  const isKept = kept?.hasPassword === true && kept.host === host.trim() && kept.user === user.trim();
  const needsPassword = user.trim() !== '' && password === '' && !isKept;
  return {
    host: wanted(host, t.enterHost),
    user: password !== '' ? wanted(user, t.enterUser) : undefined,
    password: needsPassword ? (kept?.hasPassword ? t.enterPasswordAgain : t.enterPassword) : undefined,
  };
}
