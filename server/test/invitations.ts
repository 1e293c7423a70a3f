// Invitations for tests, as the API creates them.
import { hash } from 'node:crypto';
import type { Role } from '@rapport/contract';
import { pino } from 'pino';
import { sql } from '../src/db/sql.js';
import { type InvitationMade, Invitations } from '../src/features/accounts/index.js';
import { AccountMail } from '../src/features/accounts/mail/account-mail.js';
import { insertSession } from '../src/features/accounts/sessions/queries.js';
import { systemClock } from '../src/lib/clock.js';
import { randomBytes, randomToken } from '../src/lib/random.js';
import { SecretBox } from '../src/lib/secret-box.js';
import { outboxTransport } from '../src/mail/outbox.js';
import type { Transport } from '../src/mail/transport.js';
import type { TestApp } from './app.js';

interface Inviting {
  tenantId: number;
  email: string;
  role?: Role;
  /** An account; an operator by default. */
  by?: number | null;
}

interface Inviter {
  invitations: Invitations;
  invite(wanted: Inviting): Promise<InvitationMade>;
}

/** @param mail the app's transport and secret box, if mail is to be sent. */
export function inviter(t: TestApp, mail?: { transport: Transport; box: SecretBox }): Inviter {
  const baseUrl = () => 'http://rapport.test';
  // The database exists only once the tests run.
  const made = () =>
    new Invitations({
      ...{ db: t.db, baseUrl },
      mail: new AccountMail({
        ...{ db: t.db, clock: systemClock, baseUrl, log: pino({ level: 'silent' }) },
        transport: mail?.transport ?? outboxTransport(async () => undefined),
        box: mail?.box ?? new SecretBox(randomBytes(32)),
        wake: () => t.app.wake('account-mail'),
      }),
    });
  return {
    get invitations() {
      return made();
    },
    invite: ({ tenantId, email, role = 'member', by = null }) =>
      t.db.transaction((tx) => made().create(tx, { tenantId, accountId: by, address: null }, { email, role })),
  };
}

/** A link as a path. */
export const pathOf = ({ link }: { link: string }) => link.replace('http://rapport.test', '');

export const secretOf = ({ link }: { link: string }) => link.slice(link.indexOf('=') + 1);

/** The cookie of a browser signed in through a workspace's identity provider. */
export async function ssoCookie(t: TestApp, personId: number, tenantId: number, providerId: number): Promise<string> {
  const cookie = randomToken('');
  const session = { personId, tenantId: null, sso: { tenantId, providerId }, isStrong: false, address: '127.0.0.1' };
  const [now, expiresAt] = [0, 3_600_000].map((later) => new Date(Date.now() + later).toISOString()) as [
    string,
    string,
  ];
  await insertSession(t.db, hash('sha256', cookie), { ...session, agent: null }, { now, expiresAt });
  return `rapport_session=${cookie}`;
}

/** An identity provider that a workspace requires for people of a domain; returns its number. */
export async function requireProvider(t: TestApp, tenantId: number, domain: string): Promise<number> {
  const row = await t.db.row(sql<{ providerId: number }>`
    insert into identity_provider (tenant_id, name, issuer, client_id, domains, is_required)
    values (${tenantId}, 'Acme ID', 'https://id.acme.example', 'rapport', ${[domain]}, true) returning provider_id as "providerId"`);
  return row?.providerId as number;
}
