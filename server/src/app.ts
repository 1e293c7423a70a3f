import type { App, AppOptions } from './app-options.js';
import { buildServer, type Feature, type Registries, register, Work } from './assemble.js';
import { accountDrawers, accounts, addressOfPerson } from './features/accounts/index.js';
import { agents } from './features/agents/index.js';
import { alerts } from './features/alerts/index.js';
import { consent } from './features/consent/index.js';
import { consolePages } from './features/console/index.js';
import { contactActivity } from './features/contact-activity/index.js';
import { contacts } from './features/contacts/index.js';
import { dynamicListing, dynamicLists } from './features/dynamic-lists/index.js';
import { emailVersions } from './features/email-versions/index.js';
import { emails, findConfirmFault, insertOutboxMessage, killedRenderings, Renderer } from './features/emails/index.js';
import { events } from './features/events/index.js';
import { files } from './features/files/index.js';
import { folders } from './features/folders/index.js';
import { forms, usualFormLimits } from './features/forms/index.js';
import { home } from './features/home/index.js';
import { idempotency } from './features/idempotency/index.js';
import { ingest } from './features/ingest/index.js';
import { journeys } from './features/journeys/index.js';
import { changeMembers, holdLists, lists } from './features/lists/index.js';
import { marketingKeys, messages, untrackHtml, usualLimits, usualSettings } from './features/messages/index.js';
import { endGrantsOfPerson, oauth, oauthDrawers, touchGrants } from './features/oauth/index.js';
import { operations } from './features/operations/index.js';
import { organizations } from './features/organizations/index.js';
import { properties } from './features/properties/index.js';
import { dnsResolver, findSigners, sending } from './features/sending/index.js';
import { stats } from './features/stats/index.js';
import { summaries } from './features/summaries/index.js';
import { tenants } from './features/tenants/index.js';
import {
  Acknowledger,
  Appliers,
  AtOnce,
  EarlierWrites,
  Handover,
  transactions,
} from './features/transactions/index.js';
import { users } from './features/users/index.js';
import { usualWebhooks, webhookDrawers, webhooks } from './features/webhooks/index.js';
import { why } from './features/why/index.js';
import { workspace } from './features/workspace/index.js';
import { housekeeping } from './housekeeping.js';
import { adminGuard } from './http/guard.js';
import { createMetrics } from './http/metrics.js';
import { memoryBudget } from './http/rate-limit.js';
import { systemClock } from './lib/clock.js';
import { randomBytes } from './lib/random.js';
import { SecretBox } from './lib/secret-box.js';
import { outboxTransport } from './mail/outbox.js';

export type { App, AppOptions } from './app-options.js';

export function buildApp(options: AppOptions): App {
  const { db, log, baseUrl, clock = systemClock } = options;
  const registries: Registries = {
    appliers: new Appliers(),
    ...{ erasers: [], exporters: [], emailUses: [], fileUses: [], queues: [], listUses: [] },
    dynamicListUses: [],
    dynamicListKeepers: [],
    listOwners: [],
    subjects: [],
    testSends: [],
    ...{ topicUses: [], topicAskings: [], formUses: [] },
  };
  const { appliers, erasers, exporters, queues } = registries;
  const takeBudget = options.takeBudget ?? memoryBudget(clock);
  const work = new Work(log);
  const wake = (queue: string) => {
    work.wake(queue);
    options.wakeOthers?.(queue);
  };
  const handover = new Handover();
  const atOnce = new AtOnce(db, appliers, () => work.wake('writes'), clock);
  const acknowledger = new Acknowledger(db, () => wake('writes'), { handover, atOnce });
  const earlier = new EarlierWrites(db, appliers, clock);
  const transport = options.transport ?? outboxTransport((message) => insertOutboxMessage(db, message));
  const box = options.box ?? new SecretBox(randomBytes(32));
  const metrics = createMetrics();
  const killed = killedRenderings(metrics.registry);
  const renderer = new Renderer((tenantId, why) => {
    killed.inc();
    log.warn({ tenantId, why }, 'rendering was ended');
  });
  if (options.processMetrics) metrics.processMetrics();

  const who = tenants({ db, clock, log, outside: options.outside, addressOfPerson, onGrants: touchGrants });
  const admin = adminGuard(options.adminToken, clock);
  const overview = operations({ db, queues, registry: metrics.registry, log, clock, guard: admin });
  const product = events({ db, acknowledger, keptDays: options.eventRetentionDays });
  const audiences = dynamicLists({
    db,
    subjects: registries.subjects,
    uses: registries.dynamicListUses,
    keepers: registries.dynamicListKeepers,
    owners: registries.listOwners,
    onEdit: () => wake('audiences'),
  });
  const topics = consent({
    db,
    clock,
    acknowledger,
    uses: registries.topicUses,
    askings: registries.topicAskings,
    faultOfEmail: (runner, tenantId, emailId) => findConfirmFault(runner, renderer, tenantId, emailId),
    markUnsubscribed: (tx, tenantId, contactIds, now) =>
      audiences.markChanged(
        tx,
        tenantId,
        contactIds.map((contactId) => ({ contactId, keys: marketingKeys('unsubscribed') })),
        now,
      ),
    onMonths: product.onMonths,
  });
  const trips = journeys({
    ...{ db, log, box, acknowledger, renderer },
    setTopics: topics.setTopics,
    subjects: audiences.filterSubjects,
    ownList: audiences.ownList,
    dropOwnList: audiences.dropOwnList,
    registry: metrics.registry,
    onMonths: product.onMonths,
    wake: () => wake('journeys'),
    wakeMessages: () => wake('messages'),
    sendingWarnings: async (tenantId, domains) => (await posting.desk.readSetup(tenantId, domains)).warnings,
  });
  const mail = messages({
    ...{ db, clock, log, box, baseUrl, acknowledger, renderer, transport },
    registry: metrics.registry,
    connect: (smtpUrl, connections, isGuarded) =>
      options.connectTransport?.(smtpUrl, connections, isGuarded ? hooks.addressOfHost : undefined) ??
      Promise.resolve(transport),
    markChanged: audiences.markChanged,
    setTopics: topics.setTopics,
    onMonths: product.onMonths,
    wake: () => wake('messages'),
    dueAgain: trips.dueAgain,
    isJourney: trips.isJourney,
    settings: { ...usualSettings, ...options.messages },
    textDays: options.versionTextRetentionDays,
  });
  const hooks = webhooks({
    ...{ db, clock, log, box },
    registry: metrics.registry,
    dnsServers: options.dnsServers ?? [],
    wake: () => wake('webhooks'),
    settings: { ...usualWebhooks, ...options.webhooks },
  });
  const people = accounts({
    ...{ db, clock, log, box, baseUrl },
    forgetTokens: who.forgetTokens,
    transport,
    fetch: hooks.fetch,
    endGrants: endGrantsOfPerson,
    resolver: dnsResolver(options.dnsServers),
    mailFrom: options.accountMailFrom,
    mailHost: options.mailHost,
    wakeMail: () => wake('account-mail'),
  });
  const posting = sending({
    ...{ db, box, baseUrl, log },
    mailHost: options.mailHost,
    spfInclude: options.spfInclude,
    trackingDomains: options.trackingDomains,
    hasMailServer: transport.name === 'smtp',
    addressOfHost: hooks.addressOfHost,
    resolver: dnsResolver(options.dnsServers),
    drawers: [...webhookDrawers, ...accountDrawers, ...oauthDrawers],
  });
  const warnings = alerts({
    ...{ db, clock, log, box, baseUrl, mail: people.mail },
    registry: metrics.registry,
    limits: options.messages?.health ?? usualLimits,
    faultOfPostUrl: hooks.faultOfPostUrl,
    tryPost: hooks.tryPost,
  });
  const texts = emails({
    ...{ db, renderer, filters: audiences, baseUrl },
    uses: registries.emailUses,
    mostSaves: options.emailHistoryLimit,
    outboxDays: options.outboxRetentionDays ?? 30,
  });
  const features: Feature[] = [
    overview,
    who,
    posting,
    idempotency(db),
    folders({ db }),
    files({ db, box, registry: metrics.registry, baseUrl, uses: registries.fileUses }),
    transactions({ db, appliers, handover, keptDays: options.transactionRetentionDays ?? 30 }),
    contacts({
      ...{ db, clock, acknowledger, appliers, erasers, exporters },
      selection: audiences.contactSelection,
      openTopics: topics.openTopics,
      rowEffects: { holdLists, join: changeMembers, suppress: mail.suppressAll },
    }),
    organizations({ db, earlier }),
    users({ db, acknowledger, earlier }),
    properties({ db }),
    product,
    ingest({ db, acknowledger, onMonths: product.onMonths, logDays: options.ingestLogRetentionDays ?? 30 }),
    contactActivity({ db }),
    topics,
    lists({ db, uses: registries.listUses, dynamic: dynamicListing }),
    audiences,
    texts,
    emailVersions({
      db,
      renderer,
      clock,
      transport,
      baseUrl,
      testSends: registries.testSends,
      signerOf: async (tenantId, domain) => (await findSigners(db, box, tenantId, [domain])).get(domain),
      activityDays: options.activityRetentionDays ?? 365,
    }),
    mail,
    forms({
      ...{ db, clock, baseUrl, acknowledger, takeBudget, registry: metrics.registry },
      ...{ setTopics: topics.setTopics, keys: mail.keys, wakeMessages: () => wake('messages') },
      uses: registries.formUses,
      limits: { ...usualFormLimits, ...options.forms },
    }),
    trips,
    stats({ db, clock, registry: metrics.registry, rollupLimit: options.rollupLimit ?? 500 }),
    why({ db, clock, explainJourney: trips.explain, explainList: audiences.explain }),
    hooks,
    people,
    warnings,
    home({ db, clock, openAlerts: warnings.listOpen }),
    summaries({ db, clock, log, box, baseUrl, mail: people.mail }),
    workspace({
      ...{ db, box, clock, baseUrl },
      sending: posting.desk,
      invitations: people.invitations,
      faultOfHost: hooks.faultOfHost,
      forgetTokens: who.forgetTokens,
    }),
    oauth({
      ...{ db, clock, log, box, baseUrl },
      forgetTokens: who.forgetTokens,
      sessions: people.sessions,
      fetch: hooks.fetch,
    }),
    agents({
      ...{ db, log, clock, box, renderer, takeBudget, emailUses: registries.emailUses },
      ...{ simulate: trips.simulate, reach: trips.reach },
      tries: { list: audiences.tryList, email: texts.tryEmail, journey: trips.tryJourney },
      endpoints: () => features.flatMap(({ endpoints = [] }) => endpoints),
    }),
    consolePages({ db, log, shownOf: untrackHtml }),
    housekeeping(db, clock),
  ];
  register(features, registries, db);

  let isDraining = false;
  const http = buildServer(features, {
    db,
    clock,
    log,
    metrics,
    baseUrl,
    adminGuard: admin,
    findCaller: who.findCaller,
    serveApi: options.serveApi ?? true,
    trustedProxies: options.trustedProxies ?? [],
    takeBudget,
    isDraining: () => isDraining,
  });
  const chores = features.flatMap((feature) => feature.chores ?? []);
  work.startChores(chores.filter((chore) => chore.everywhere));
  return {
    http,
    mail: mail.desk,
    drain: () => {
      isDraining = true;
    },
    wake: (queue) => work.wake(queue),
    startWork: () => {
      work.start(queues, clock, overview.watch);
      atOnce.open(overview.watch);
      work.startChores(chores.filter((chore) => !chore.everywhere));
    },
    close: async () => {
      await http.close();
      await work.stop();
      for (const feature of features) await feature.close?.().catch((err: Error) => log.warn({ err }, 'closing'));
      transport.close();
    },
  };
}
