// The settings of a workspace: the operators' use cases, for the caller's tenant.
import * as contract from '@rapport/contract';
import { notFound } from '../../http/api-error.js';
import { type Endpoint, endpoint, pageOf } from '../../http/endpoint.js';
import { callbackUrlOf } from '../accounts/index.js';
import { readThemeAlone } from '../designs/index.js';
import { faulty } from '../filter-language/index.js';
import { answerOnce, effectOnce, secretOnce } from '../idempotency/index.js';
import { previewPages } from '../messages/index.js';
import {
  findEmailTheme,
  findTenant,
  getBranding,
  readBranding,
  setBranding,
  setEmailTheme,
  updateTenant,
} from '../tenants/index.js';
import { actorOf, type WorkspaceNeeds } from './needs.js';
import { findSelf } from './queries.js';

type Needs = Pick<WorkspaceNeeds, 'db' | 'box' | 'sending' | 'faultOfHost' | 'baseUrl'>;
type Workspace = contract.DataValue<typeof contract.getWorkspace>;

// Each has a key of its own, which takes 0.2 s of a processor; and all are shown with the workspace.
const mostDomains = 100;

export function settingsEndpoints(needs: Needs): Endpoint[] {
  return [
    ...workspaceEndpoints(needs),
    ...domainEndpoints(needs),
    ...transportEndpoints(needs),
    ...hookEndpoints(needs),
    ...brandingEndpoints(needs),
    ...themeEndpoints(needs),
  ];
}

function workspaceEndpoints(needs: Needs): Endpoint[] {
  return [
    endpoint(contract.getWorkspace, async ({ caller }) => ({ data: await describe(needs, caller.tenantId) })),
    endpoint(contract.updateWorkspace, async (call) => {
      // The rate limit is the operator's to set.
      const { name, timeZone } = call.body;
      await needs.db.transaction((tx) => updateTenant(tx, actorOf(call), { name, timeZone }));
      return { data: await describe(needs, call.caller.tenantId) };
    }),
  ];
}

async function describe({ db, sending, baseUrl }: Needs, tenantId: number): Promise<Workspace> {
  const [tenant, domains] = await Promise.all([
    findTenant(db, tenantId),
    sending.listDomains(tenantId, { limit: mostDomains, offset: 0 }),
  ]);
  if (!tenant) throw notFound('workspace');
  return { ...tenant, ssoCallbackUrl: callbackUrlOf(baseUrl(), tenantId), sendingDomains: domains.rows };
}

function domainEndpoints({ db, box, sending }: Needs): Endpoint[] {
  return [
    endpoint(contract.listWorkspaceDomains, ({ caller, query }) => sending.listDomains(caller.tenantId, pageOf(query))),
    endpoint(contract.addWorkspaceDomain, async (call) => {
      const { domain } = call.body;
      const key = await sending.keyFor(call.caller.tenantId, domain);
      return answerOnce(db, call, (tx) => sending.addDomain(tx, actorOf(call), domain, key, mostDomains));
    }),
    endpoint(contract.checkWorkspaceDomain, (call) =>
      effectOnce(db, call, () => sending.checkDomain(call.caller.tenantId, call.params.domain)),
    ),
    endpoint(contract.shareWorkspaceDomain, (call) =>
      secretOnce({ db, box }, call, 'url', (tx) => sending.shareDomain(tx, actorOf(call), call.params.domain)),
    ),
    endpoint(contract.unshareWorkspaceDomain, async (call) => ({
      data: await sending.unshareDomain(actorOf(call), call.params.domain),
    })),
    endpoint(contract.removeWorkspaceDomain, async (call) => ({
      data: await sending.removeDomain(actorOf(call), call.params.domain),
    })),
  ];
}

function transportEndpoints({ db, sending, faultOfHost }: Needs): Endpoint[] {
  return [
    endpoint(contract.getWorkspaceTransport, async ({ caller }) => ({
      data: await sending.getTransport(caller.tenantId),
    })),
    endpoint(contract.setWorkspaceTransport, async (call) => ({
      data: await sending.setTransport(actorOf(call), call.body, faultOfHost),
    })),
    endpoint(contract.testWorkspaceTransport, (call) =>
      effectOnce(db, call, async () => {
        const { tenantId, accountId } = call.caller;
        const self = await findSelf(db, tenantId, accountId);
        return sending.tryTransport(tenantId, call.body, self?.email ?? null, faultOfHost);
      }),
    ),
    endpoint(contract.removeWorkspaceTransport, async (call) => ({
      data: await sending.removeTransport(actorOf(call)),
    })),
  ];
}

function hookEndpoints({ db, box, sending }: Needs): Endpoint[] {
  return [
    endpoint(contract.listWorkspaceHooks, ({ caller, query }) => sending.listHooks(caller.tenantId, pageOf(query))),
    endpoint(contract.createWorkspaceHook, (call) =>
      secretOnce({ db, box }, call, 'url', (tx) => sending.createHook(tx, actorOf(call), call.body)),
    ),
    endpoint(contract.removeWorkspaceHook, async (call) => ({
      data: await sending.removeHook(actorOf(call), call.params.hookId),
    })),
  ];
}

const shownTopics = [
  { topicId: 'a', name: 'Product news', description: 'What’s new, once a month.', isSubscribed: true },
  { topicId: 'b', name: 'Events', description: null, isSubscribed: false },
];

function brandingEndpoints({ db }: Needs): Endpoint[] {
  return [
    endpoint(contract.getWorkspaceBranding, async ({ caller }) => ({ data: await getBranding(db, caller.tenantId) })),
    endpoint(contract.setWorkspaceBranding, async (call) => {
      const branding = readBranding(call.body);
      return { data: await db.transaction((tx) => setBranding(tx, actorOf(call), branding)) };
    }),
    endpoint(contract.previewWorkspaceBranding, (call) =>
      effectOnce(db, call, async () => previewPages(readBranding(call.body), shownTopics)),
    ),
  ];
}

function themeEndpoints({ db }: Needs): Endpoint[] {
  return [
    endpoint(contract.getWorkspaceEmailTheme, async ({ caller }) => ({
      data: { theme: await findEmailTheme(db, caller.tenantId) },
    })),
    endpoint(contract.setWorkspaceEmailTheme, async (call) => {
      const theme = readTheme(call.body.theme);
      return { data: { theme: await db.transaction((tx) => setEmailTheme(tx, actorOf(call), theme)) } };
    }),
  ];
}

/** Throws a 400 with the place of every fault. */
function readTheme(given: unknown): contract.DesignTheme | null {
  if (given === null || given === undefined) return null;
  const read = readThemeAlone(given);
  if (!read.ok) throw faulty(read.faults.map(({ place, message }) => ({ path: place, words: message })));
  return read.theme;
}
