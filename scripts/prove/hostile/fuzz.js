// Every operation in turn, with valid and spoilt requests mixed. Later requests use what responses reveal.
import { makeDataDir, startService } from '../../../server/test/process/service.js';
import { makeTenant, readAdminToken } from '../../../server/test/process/tenant.js';
import { makeAttacker } from './attacker.js';
import { wrongWith } from './judge.js';
import { kindOf, makers, takesAway } from './kinds.js';
import { operationsOf } from './operations.js';
import { Random } from './random.js';
import { bytesOf, pathOf, send } from './send.js';
import { soundRequest } from './sound.js';
import { spoil } from './spoil.js';
import { Stock } from './stock.js';
import { bounds, priced, Watch } from './watch.js';

/** @typedef {import('./operations.js').Operation} Operation */

const MiB = 1024 * 1024;
const inFlight = 24;
const soundShare = 0.6;
// At least this share of an operation's requests must succeed: otherwise the rest has only tested the guard.
const leastDone = 0.25;
// The operator's budget is 200 a second, and /metrics is read with the same token.
const adminEvery = 8;
const mostTold = 20;
// These depend on an exchange with an outside party: an OpenID provider, an app with an OAuth flow. Only their entry points are tested.
const madeOutside = [
  ...['updateIdentityProvider', 'deleteIdentityProvider', 'checkIdentityProviderDomains', 'createIdentityProvider'],
  'disconnectApp',
];

/**
 * `isShort`: too few requests to require that each operation had its share of valid ones.
 * @param {{ requests: number, seed: number, say: (line: string) => void, limits?: typeof bounds, isShort?: boolean }} options
 */
export async function fuzz({ requests, seed, say, limits = bounds, isShort = false }) {
  // No DNS server listens there: nothing may leave the machine.
  const env = { DEMO: 'off', LOG_LEVEL: 'error', DNS_SERVERS: '127.0.0.1:9' };
  const service = await startService({ dataDir: await makeDataDir(), env });
  const attacker = await makeAttacker(service, { returnPath: () => '' });
  const neighbour = await makeTenant(service);
  const admin = await readAdminToken(service.dataDir);
  const operations = await operationsOf(service.url);
  const run = new Run(service.url, operations, seed, (area) => `Bearer ${area === 'admin' ? admin : attacker.token}`);
  let told = 0;
  await run.begin(attacker);
  const watch = await Watch.start(service, neighbour.token);
  // Code and caches are warm, and the heap has its usual size, once every operation was called a few times.
  await run.go(Math.min(3000, Math.ceil(requests * 0.1)));
  const { rss: baseline } = await watch.take();
  say(`seed ${seed}; ${operations.length} operations; ${Math.round(baseline / MiB)} MB when warm`);
  /** @type {import('./watch.js').Seen[]} */
  const windows = [];
  for (let part = 1; part <= 10; part++) {
    const at = performance.now();
    const before = run.count;
    await run.go(Math.floor((requests * part) / 10) - run.count);
    const seen = await watch.take();
    windows.push(seen);
    for (; told < Math.min(run.problems.length, mostTold); told++) say(`PROBLEM ${run.problems[told]}`);
    const rate = Math.round(((run.count - before) / (performance.now() - at)) * 1000);
    say(
      `${run.count} requests, ${rate}/s: stall ${Math.round(seen.stall)} ms, ${Math.round(seen.rss / MiB)} MB, ` +
        `second tenant p99 ${Math.round(seen.p99)} ms of ${seen.requests}, machine × ${seen.price.toFixed(1)}; ${run.problems.length} problems`,
    );
  }
  await watch.close();
  const problems = [...run.problems.slice(0, mostTold), ...(isShort ? [] : run.untested())];
  if (!service.isRunning()) problems.push(`the service ended: ${service.stderr().slice(-500)}`);
  const stall = Math.max(...windows.map((seen) => priced(seen.stall, seen)));
  const growth = Math.max(...windows.map((seen) => seen.rss)) - baseline;
  const faults = windows.flatMap((seen) => seen.faults);
  if (stall > limits.stallMs) problems.push(`the loop was held for ${Math.round(stall)} ms`);
  if (growth > limits.growth) problems.push(`memory grew by ${Math.round(growth / MiB)} MB`);
  if (faults.length > 0) problems.push(`the second tenant had ${faults.length} faults, such as ${faults[0]}`);
  for (const line of run.table()) say(line);
  const logged = service
    .stdout()
    .split('\n')
    .filter((line) => line.includes('"level":50'));
  for (const line of logged.slice(0, 5)) problems.push(`logged: ${line.slice(0, 500)}`);
  await service.stop();
  const worstP99 = Math.round(Math.max(...windows.map((seen) => seen.p99)));
  return { problems, stall, growth, worstP99, sent: run.count };
}

class Run {
  count = 0;
  /** Requests of `begin`. */
  begun = 0;
  /** @type {string[]} */
  problems = [];
  stock = new Stock();
  /** @type {Map<string, Map<string, number>>} */
  statuses = new Map();

  /**
   * @param {string} url
   * @param {Operation[]} operations
   * @param {number} seed
   * @param {(area: Operation['area']) => string} authorization
   */
  constructor(url, operations, seed, authorization) {
    this.url = url;
    this.operations = operations;
    this.seed = seed;
    this.authorization = authorization;
    this.byKey = new Map(operations.map((operation) => [operation.key, operation]));
    this.often = operations.filter(({ area }) => area !== 'admin');
    this.seldom = operations.filter(({ area }) => area === 'admin');
  }

  /**
   * One of everything, so that requests have something to refer to.
   * @param {import('./attacker.js').Attacker} attacker
   */
  async begin(attacker) {
    const contacts = Array.from({ length: 200 }, (_, i) => ({
      email: `c${i}@example.com`,
      properties: { first_name: 'A', plan: 'pro' },
    }));
    await attacker.call('POST', '/v2/contacts/batch', { contacts });
    await attacker.applied();
    // A list with members: requests ask why contacts are in it.
    await attacker.call('POST', '/v2/dynamic-lists', { name: 'All', filter: { property: 'plan', is: 'pro' } });
    await this.sound('v2 listDynamicLists', 1);
    for (let i = 0; i < 20; i++)
      await attacker.administer('POST', `/admin/tenants/${attacker.tenantId}/accounts`, { name: `Person ${i}` });
    await this.sound('v2 listContacts', 3);
    for (const key of [
      'v2 createOrganization',
      'v2 createList',
      'v2 createDynamicList',
      'v2 createFolder',
      'v2 createTopic',
      'v2 createEmail',
      'admin createTenant',
    ])
      await this.sound(key, 10);
    for (const key of [
      'v2 createUser',
      'v2 addMembers',
      'v2 storeVersion',
      'v2 testSendEmail',
      'v2 sendMessage',
      'v2 suppressAddress',
      'v2 createJourney',
      'v2 createWebhook',
      'v2 createBlock',
      'v2 createFile',
      'v2 createForm',
      'v2 createInvitation',
      'v2 createPersonalToken',
      'v2 addWorkspaceDomain',
      'v2 createWorkspaceHook',
      'v2 createEvents',
      'v2 importContacts',
      'admin createToken',
      'admin addSendingDomain',
      'admin createMailHook',
      'admin setTransport',
    ])
      await this.sound(key, 10);
    await attacker.applied();
    for (const key of ['v2 activateJourney', 'v2 createJourney', 'v2 enrollContacts']) await this.sound(key, 10);
    // Of the first twenty sent, ten are paused.
    for (const key of ['createBroadcast', 'sendBroadcast']) await this.sound(`v2 ${key}`, 20);
    for (const key of ['pauseBroadcast', 'createBroadcast']) await this.sound(`v2 ${key}`, 10);
    for (const key of [
      'v2 listMembers',
      'v2 listContactTopics',
      'v2 listOrganizationMembers',
      'v2 listOutbox',
      'v2 listEnrolments',
      'v2 listPeople',
      'v2 listEventNames',
    ])
      await this.sound(key, 20);
    this.statuses.clear();
    this.count = 0;
  }

  /**
   * @param {string} key
   * @param {number} times
   */
  async sound(key, times) {
    for (let i = 0; i < times; i++) {
      const random = new Random(this.seed, 1e6 + this.begun++);
      const operation = /** @type {Operation} */ (this.byKey.get(key));
      await this.ask(soundRequest(operation, this.stock, random, this.authorization), true);
    }
  }

  /** @param {number} requests */
  async go(requests) {
    const until = this.count + requests;
    const caller = async () => {
      while (this.count < until) await this.one(this.count++);
    };
    await Promise.all(Array.from({ length: inFlight }, caller));
  }

  /** @param {number} n */
  async one(n) {
    const random = new Random(this.seed, n);
    let operation = random.pick(n % adminEvery === 0 ? this.seldom : this.often);
    // What is removed must be created again, and its prerequisites too.
    for (;;) {
      const kind = kindOf(operation);
      const maker = kind && makers[kind];
      if (!takesAway(operation) || !maker || !this.stock.isShort(kind)) break;
      operation = /** @type {Operation} */ (this.byKey.get(maker));
    }
    const request = soundRequest(operation, this.stock, random, this.authorization);
    const isSound = random.chance(soundShare);
    if (!isSound) spoil(request, random);
    await this.ask(request, isSound);
  }

  /**
   * @param {import('./sound.js').Request} request
   * @param {boolean} isSound
   */
  async ask(request, isSound) {
    const path = pathOf(request);
    const told = () => `${request.method} ${path.slice(0, 200)} ${bytesOf(request)?.toString('utf8', 0, 300) ?? ''}`;
    try {
      const answer = await send(this.url, request);
      this.note(request.operation.key, String(answer.status));
      const wrong = wrongWith(request, answer, path);
      if (wrong) this.problems.push(`${request.operation.key}: ${wrong}: ${told()} → ${answer.text.slice(0, 200)}`);
      if (isSound && answer.status === 200 && /^\{/.test(answer.text))
        this.stock.learn(request.operation, request.at, request.body, JSON.parse(answer.text).data);
    } catch (error) {
      this.note(request.operation.key, 'none');
      // If the request is not HTTP, or longer than any server reads, hanging up counts as a response.
      const isExcused = request.isRaw || (bytesOf(request)?.length ?? 0) > 10 * MiB;
      if (!isExcused) this.problems.push(`${request.operation.key}: ${error}: ${told()}`);
    }
  }

  /**
   * @param {string} key
   * @param {string} status
   */
  note(key, status) {
    const own = this.statuses.get(key) ?? new Map();
    this.statuses.set(key, own.set(status, (own.get(status) ?? 0) + 1));
  }

  /** Operations with too few requests that got past the guard. */
  untested() {
    return this.operations.flatMap(({ key, id }) => {
      if (madeOutside.includes(id)) return [];
      const own = this.statuses.get(key) ?? new Map();
      const all = [...own.values()].reduce((sum, count) => sum + count, 0);
      const done = [...own].reduce((sum, [status, count]) => sum + (/^[23]/.test(status) ? count : 0), 0);
      // With few requests, one is enough.
      const isTested = all < 100 ? done > 0 || all < 20 : done / all >= leastDone;
      return isTested ? [] : [`only ${done} of ${all} requests of ${key} succeeded`];
    });
  }

  table() {
    const all = [...new Set([...this.statuses.values()].flatMap((own) => [...own.keys()]))].sort();
    const row = (/** @type {string} */ name, /** @type {(string | number)[]} */ cells) =>
      `${name.padEnd(46)}${cells.map((cell) => String(cell).padStart(7)).join('')}`;
    const rows = [...this.statuses].sort(([a], [b]) => (a < b ? -1 : 1));
    const sum = (/** @type {string} */ status) => rows.reduce((total, [, own]) => total + (own.get(status) ?? 0), 0);
    return [
      row('status by operation', all),
      ...rows.map(([key, own]) =>
        row(
          key,
          all.map((status) => own.get(status) ?? ''),
        ),
      ),
      row('all', all.map(sum)),
    ];
  }
}
