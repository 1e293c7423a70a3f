import * as contract from '@rapport/contract';
import type { Database } from '../../db/database.js';
import { notFound } from '../../http/api-error.js';
import { type Endpoint, endpoint, pageOf } from '../../http/endpoint.js';
import { isAssetId } from '../../lib/ids.js';
import type { SecretBox } from '../../lib/secret-box.js';
import { getTenant } from '../tenants/index.js';
import { approveDomain, checkDomain } from './check-domain.js';
import type { DnsResolver } from './dns/lookups.js';
import { createHook } from './hooks.js';
import * as queries from './queries.js';
import { hostsOf, shown } from './records.js';
import { getTransport, setTransport } from './transports.js';

export interface SendingContext {
  db: Database;
  box: SecretBox;
  baseUrl: () => string;
  resolver: DnsResolver;
  /** The host that takes bounces; that of `baseUrl` by default. */
  mailHost?: string | undefined;
  /** Whose SPF record names the machines that send; that of `mailHost` by default. */
  spfInclude?: string | undefined;
}

export function sendingEndpoints(context: SendingContext): Endpoint[] {
  return [...domainEndpoints(context), ...transportEndpoints(context), ...hookEndpoints(context)];
}

function domainEndpoints({ db, box, baseUrl, resolver, mailHost, spfInclude }: SendingContext): Endpoint[] {
  const hosts = () => hostsOf(baseUrl(), mailHost, spfInclude);
  return [
    endpoint(contract.addSendingDomain, async ({ params, body }) => {
      const { tenantId } = await getTenant(db, params.tenantId);
      return { data: shown(await approveDomain(db, box, tenantId, body.domain), hosts()) };
    }),
    endpoint(contract.listSendingDomains, async ({ params, query }) => {
      const { tenantId } = await getTenant(db, params.tenantId);
      const { rows, total } = await queries.selectDomains(db, tenantId, pageOf(query));
      return { rows: rows.map((row) => shown(row, hosts())), total };
    }),
    endpoint(contract.checkSendingDomain, async ({ params }) => {
      const { tenantId } = await getTenant(db, params.tenantId);
      const row = await checkDomain(db, box, resolver, hosts(), tenantId, named(params.domain));
      return { data: shown(row, hosts()) };
    }),
    endpoint(contract.removeSendingDomain, async ({ params }) => {
      const { tenantId } = await getTenant(db, params.tenantId);
      const domain = named(params.domain);
      if (!(await queries.deleteDomain(db, tenantId, domain))) throw notFound('sending domain');
      return { data: { domain, success: true } };
    }),
  ];
}

function named(domain: string): string {
  return domain.trim().toLowerCase();
}

function transportEndpoints({ db, box }: SendingContext): Endpoint[] {
  return [
    endpoint(contract.setTransport, async ({ params, body }) => {
      const { tenantId } = await getTenant(db, params.tenantId);
      return { data: await setTransport(db, box, tenantId, body) };
    }),
    endpoint(contract.getTransport, async ({ params }) => {
      const { tenantId } = await getTenant(db, params.tenantId);
      return { data: await getTransport(db, box, tenantId) };
    }),
    endpoint(contract.removeTransport, async ({ params }) => {
      const { tenantId } = await getTenant(db, params.tenantId);
      if (!(await queries.deleteTransport(db, tenantId))) throw notFound('transport');
      return { data: { success: true } };
    }),
  ];
}

function hookEndpoints({ db, box, baseUrl }: SendingContext): Endpoint[] {
  return [
    endpoint(contract.createMailHook, async ({ params, body }) => {
      const { tenantId } = await getTenant(db, params.tenantId);
      return { data: await createHook(db, box, baseUrl(), tenantId, body) };
    }),
    endpoint(contract.listMailHooks, async ({ params, query }) => {
      const { tenantId } = await getTenant(db, params.tenantId);
      return queries.selectHooks(db, tenantId, pageOf(query));
    }),
    endpoint(contract.removeMailHook, async ({ params }) => {
      const { tenantId } = await getTenant(db, params.tenantId);
      const { hookId } = params;
      if (!isAssetId(hookId) || !(await queries.deleteHook(db, tenantId, hookId))) throw notFound('mail hook');
      return { data: { hookId, success: true } };
    }),
  ];
}
