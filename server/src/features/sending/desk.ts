// What operators and admins of a workspace do to its domains, mail server and hooks: the same for both, and logged.
import type {
  BodyValue,
  createMailHook,
  DataValue,
  listMailHooks,
  listSendingDomains,
  shareWorkspaceDomain,
  testWorkspaceTransport,
} from '@rapport/contract';
import type { Database, Transaction } from '../../db/database.js';
import type { Page, PageOf } from '../../db/paged.js';
import { ApiError, notFound } from '../../http/api-error.js';
import { notReady } from '../../http/error-handler.js';
import { isAssetId } from '../../lib/ids.js';
import type { SecretBox } from '../../lib/secret-box.js';
import type { Locate } from '../../mail/smtp.js';
import { type Actor, recordAudit } from '../audit/index.js';
import { checkDomain } from './check-domain.js';
import type { DnsResolver } from './dns/lookups.js';
import { makeKey } from './domain-keys.js';
import { createHook } from './hooks.js';
import { usesLinkNames } from './link-names.js';
import * as queries from './queries.js';
import { type Hosts, hostsOf, shown } from './records.js';
import { readSetup, type SendingSetup } from './setup.js';
import { endShare } from './sharing/queries.js';
import { findSharedDomain, shareDomain } from './sharing/share-domain.js';
import { type FaultOfHost, getTransport, type NewTransport, setTransport } from './transports.js';
import { tryTransport } from './try-transport.js';

export interface SendingContext {
  db: Database;
  box: SecretBox;
  baseUrl: () => string;
  resolver: DnsResolver;
  /** The host that takes bounces; that of `baseUrl` by default. */
  mailHost?: string | undefined;
  /** Whose SPF record names the machines that send; that of `mailHost` by default. */
  spfInclude?: string | undefined;
  /** Whether links of a domain use its own name; by default if that needs no certificate. */
  trackingDomains?: boolean | undefined;
  /** Whether the installation has a mail server. */
  hasMailServer?: boolean;
  /** The address of a mail server that a workspace names; throws if it is not on the public internet. */
  addressOfHost?: Locate;
}
type Domain = DataValue<typeof listSendingDomains>;
type Transport = Awaited<ReturnType<typeof getTransport>>;

export class SendingDesk {
  constructor(private readonly needs: SendingContext) {}

  async listDomains(tenantId: number, page: PageOf): Promise<Page<Domain>> {
    const { rows, total } = await queries.selectDomains(this.needs.db, tenantId, page);
    return { rows: rows.map((row) => shown(row, this.hosts())), total };
  }

  /** A key for a domain that has none: made before the transaction that adds it, because it may take seconds. */
  async keyFor(tenantId: number, domain: string): Promise<queries.DomainKey | undefined> {
    const { db, box } = this.needs;
    const row = await queries.findDomain(db, tenantId, domain);
    return row?.selector ? undefined : makeKey(box, tenantId, domain);
  }

  /** An existing domain keeps its key, and is not logged again. @param most how many domains are allowed. */
  async addDomain(
    tx: Transaction,
    actor: Actor,
    domain: string,
    key: queries.DomainKey | undefined,
    most?: number,
  ): Promise<Domain> {
    const { tenantId } = actor;
    const isNew = await queries.insertSendingDomain(tx, tenantId, domain);
    if (isNew && most !== undefined && (await queries.countDomains(tx, tenantId)) > most)
      throw new ApiError('INVALID_STATE', {
        reason: `There are ${most} sending domains already. Remove one that you don’t need.`,
      });
    // An existing key stays.
    if (key) await queries.updateDomainKey(tx, tenantId, domain, key);
    const row = await queries.findDomain(tx, tenantId, domain);
    // Removed since its key was looked up: the next request adds it again, with a new key.
    if (!row?.selector) throw notReady({ reason: 'another request is changing the domain; try again', retryAfter: 1 });
    if (isNew) await recordAudit(tx, actor, 'sending-domain.added', domain);
    return shown(row, this.hosts());
  }

  /** Asks DNS, without an open transaction. */
  async checkDomain(tenantId: number, domain: string): Promise<Domain> {
    const { db, box, resolver } = this.needs;
    const hosts = this.hosts();
    return shown(await checkDomain(db, box, resolver, hosts, tenantId, named(domain)), hosts);
  }

  removeDomain(actor: Actor, name: string): Promise<{ domain: string; success: boolean }> {
    const domain = named(name);
    return this.needs.db.transaction(async (tx) => {
      if (!(await queries.deleteDomain(tx, actor.tenantId, domain))) throw notFound('sending domain');
      await recordAudit(tx, actor, 'sending-domain.removed', domain);
      return { domain, success: true };
    });
  }

  async shareDomain(tx: Transaction, actor: Actor, name: string): Promise<DataValue<typeof shareWorkspaceDomain>> {
    const link = await shareDomain(tx, this.needs.baseUrl(), actor.tenantId, named(name));
    await recordAudit(tx, actor, 'sending-domain.shared', link.domain, { until: link.expiresAt });
    return link;
  }

  unshareDomain(actor: Actor, name: string): Promise<{ success: boolean }> {
    const domain = named(name);
    return this.needs.db.transaction(async (tx) => {
      if (!(await endShare(tx, actor.tenantId, domain))) throw notFound('link of this domain');
      await recordAudit(tx, actor, 'sending-domain.unshared', domain);
      return { success: true };
    });
  }

  /** What a link shows. Undefined if it shows nothing, or no longer. */
  async findShared(link: string): Promise<Domain | undefined> {
    const { db } = this.needs;
    const shared = await findSharedDomain(db, link);
    const row = shared && (await queries.findDomain(db, shared.tenantId, shared.domain));
    return row && shown(row, this.hosts());
  }

  getTransport(tenantId: number): Promise<Transport> {
    return getTransport(this.needs.db, this.needs.box, tenantId);
  }

  /** @param guard of a server that a workspace names; operators may name any. */
  setTransport(actor: Actor, wanted: NewTransport, guard?: FaultOfHost): Promise<Transport> {
    const { db, box } = this.needs;
    return db.transaction(async (tx) => {
      const transport = await setTransport(tx, box, actor.tenantId, wanted, guard);
      await recordAudit(tx, actor, 'transport.changed', null, { host: transport.host });
      return transport;
    });
  }

  /** @param to who gets the test mail unless the request says. */
  tryTransport(
    tenantId: number,
    wanted: BodyValue<typeof testWorkspaceTransport>,
    to: string | null,
    guard: FaultOfHost,
  ): Promise<DataValue<typeof testWorkspaceTransport>> {
    return tryTransport(this.needs, tenantId, wanted, to, guard);
  }

  removeTransport(actor: Actor): Promise<{ success: boolean }> {
    return this.needs.db.transaction(async (tx) => {
      if (!(await queries.deleteTransport(tx, actor.tenantId))) throw notFound('transport');
      await recordAudit(tx, actor, 'transport.removed');
      return { success: true };
    });
  }

  listHooks(tenantId: number, page: PageOf): Promise<Page<DataValue<typeof listMailHooks>>> {
    return queries.selectHooks(this.needs.db, tenantId, page);
  }

  async createHook(
    tx: Transaction,
    actor: Actor,
    wanted: BodyValue<typeof createMailHook>,
  ): Promise<DataValue<typeof createMailHook>> {
    const hook = await createHook(tx, this.needs.box, this.needs.baseUrl(), actor.tenantId, wanted);
    await recordAudit(tx, actor, 'mail-hook.added', hook.hookId, { provider: hook.provider });
    return hook;
  }

  removeHook(actor: Actor, hookId: string): Promise<{ hookId: string; success: boolean }> {
    return this.needs.db.transaction(async (tx) => {
      if (!isAssetId(hookId) || !(await queries.deleteHook(tx, actor.tenantId, hookId))) throw notFound('mail hook');
      await recordAudit(tx, actor, 'mail-hook.removed', hookId);
      return { hookId, success: true };
    });
  }

  /** @param domains of the senders that are meant; all by default. */
  readSetup(tenantId: number, domains?: readonly string[]): Promise<SendingSetup> {
    const { db, baseUrl, hasMailServer = false } = this.needs;
    return readSetup(db, tenantId, { hasMailServer, baseUrl: baseUrl() }, domains);
  }

  private hosts(): Hosts {
    const { baseUrl, mailHost, spfInclude, trackingDomains } = this.needs;
    return hostsOf(baseUrl(), mailHost, spfInclude, usesLinkNames(baseUrl(), trackingDomains));
  }
}

function named(domain: string): string {
  return domain.trim().toLowerCase();
}
