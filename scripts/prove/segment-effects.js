// The effects of Segment calls, read through the API, compared with the expected ones.
import { setTimeout as sleep } from 'node:timers/promises';
import { callJson } from '../../server/test/process/tenant.js';

const readers = 8;

/**
 * @typedef {{ url: string, token: string }} Api
 * @typedef {import('./segment.js').Sent} Sent
 */

/**
 * Compares once everything is applied.
 * @param {Api} api
 * @param {Sent[]} sent
 * @returns {Promise<string[]>} what is not as it should be
 */
export async function compare(api, sent) {
  await untilApplied(api);
  const seen = await readEverything(api, sent);
  const made = new Set(sent.map(effectOf));
  return [
    ...sent
      .filter((call) => call.isFlushed && !seen.has(effectOf(call)))
      .map((call) => `${call.type} ${call.n} was flushed and is not there`),
    ...sent
      .filter((call) => call.type === 'group' && call.isFlushed && !seen.has(membershipOf(call)))
      .map((call) => `${call.userId} is not in ${call.groupId}`),
    ...[...seen].filter(([, times]) => times > 1).map(([effect, times]) => `${effect} is there ${times} times`),
    ...[...seen.keys()]
      .filter((effect) => !made.has(effect) && !effect.startsWith('member '))
      .map((effect) => `${effect} was never sent`),
  ];
}

/** @param {Sent} call */
function effectOf({ n, type, userId, isStranger }) {
  if (isStranger) return `refused ${userId}`;
  if (type === 'identify') return `identify ${n}`;
  if (type === 'group') return `group ${n}`;
  return `event ${{ track: `Event ${n}`, page: `Page ${n}`, screen: `Screen ${n}` }[type]}`;
}

/** @param {Sent} call */
function membershipOf({ userId, groupId }) {
  return `member ${userId} of ${groupId}`;
}

/** Writes are applied in order: once a later one is done, so are the earlier ones. */
async function untilApplied(/** @type {Api} */ api) {
  const body = { email: 'marker@example.com' };
  const made = await callJson(`${api.url}/v2/contacts`, { ...api, method: 'POST', body });
  const poll = `${api.url}/v2/contacts/transactions/${made.body.data.transactionId}`;
  while ((await callJson(poll, api)).body.data.status !== 'DONE') await sleep(20);
}

/**
 * Every effect, and how often it occurred.
 * @param {Api} api
 * @param {Sent[]} sent
 */
async function readEverything(api, sent) {
  /** @type {Map<string, number>} */
  const seen = new Map();
  const see = (/** @type {string} */ effect) => seen.set(effect, (seen.get(effect) ?? 0) + 1);
  const userIds = [...new Set(sent.filter((call) => !call.isStranger).map((call) => call.userId))];
  const orgIds = [...new Set(sent.filter((call) => call.type === 'group').map((call) => call.groupId))];
  await inParallel(userIds, (userId) => readUser(api, userId, see));
  await inParallel(orgIds, (orgId) => readOrganization(api, orgId, see));
  for (const { userId } of await readPages(api, '/v2/ingest-log')) see(`refused ${userId}`);
  return seen;
}

/**
 * A trait counts if the user and its contact have it. The contact's own history shows how often it was set.
 * @param {Api} api
 * @param {string} userId
 * @param {(effect: string) => void} see
 */
async function readUser(api, userId, see) {
  const { data: user } = (await callJson(`${api.url}/v2/users/${userId}`, api)).body;
  if (!user) return;
  const { data: contact } = (await callJson(`${api.url}/v2/contacts/${user.contactId}`, api)).body;
  for (const [key, n] of Object.entries(user.properties))
    if (contact.properties[key] === n && key === `call${n}`) see(`identify ${n}`);
  const changes = await readPages(api, `/v2/contacts/${user.contactId}/activity-log`);
  const fields = changes.map((change) => change.field);
  for (const field of fields.filter((name, i) => fields.indexOf(name) !== i)) see(`second change of ${field}`);
  for (const { eventName, eventProperties } of await readPages(
    api,
    `/v2/contacts/${user.contactId}/product-activity`,
  )) {
    const name = eventName.endsWith(' Viewed') ? eventProperties.name : eventName;
    see(name.endsWith(` ${eventProperties.n}`) ? `event ${name}` : `event with wrong properties: ${name}`);
  }
}

/**
 * @param {Api} api
 * @param {string} orgId
 * @param {(effect: string) => void} see
 */
async function readOrganization(api, orgId, see) {
  const { data: organization } = (await callJson(`${api.url}/v2/organizations/${orgId}`, api)).body;
  if (!organization) return;
  for (const [key, n] of Object.entries(organization.properties)) if (key === `call${n}`) see(`group ${n}`);
  for (const { userId } of await readPages(api, `/v2/organizations/${orgId}/members`))
    see(`member ${userId} of ${orgId}`);
}

/**
 * @param {Api} api
 * @param {string} path
 */
async function readPages(api, path) {
  const rows = [];
  for (let pageNumber = 1; ; pageNumber++) {
    const { body } = await callJson(`${api.url}${path}?pageSize=200&pageNumber=${pageNumber}`, api);
    rows.push(...body.data);
    if (rows.length >= body.pagination.totalElements || body.data.length === 0) return rows;
  }
}

/**
 * @param {string[]} names
 * @param {(name: string) => Promise<void>} read
 */
async function inParallel(names, read) {
  const left = [...names];
  const reader = async () => {
    for (let name = left.pop(); name !== undefined; name = left.pop()) await read(name);
  };
  await Promise.all(Array.from({ length: readers }, reader));
}
