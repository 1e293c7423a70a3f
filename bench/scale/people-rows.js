// Contacts with lists, versions and changes; organizations, users and memberships; events with their counts.
import { addressOf, contactDate, contactIdOf, dayMs, eventOf, eventsOf, iso, line } from './sizes.js';

/** @typedef {import('./place.js').Ground} Ground */
/** @typedef {import('./seed.js').Step} Step */
/** @typedef {import('./seed.js').Copied} Copied */

const plans = ['free', 'pro', 'team', 'trial'];
const hourMs = 3_600_000;
const firstMonth = (/** @type {number} */ ms) => {
  const date = new Date(ms);
  return date.getUTCFullYear() * 12 + date.getUTCMonth();
};
const counter = 'counter_delta (tenant_id, counter, delta)';

/** @param {Ground} ground @returns {Step[]} */
export function peopleSteps(ground) {
  const { sizes } = ground;
  return [
    { name: 'contacts', total: sizes.contacts, atOnce: 50_000, rows: (from, to) => contactRows(ground, from, to) },
    { name: 'organizations', total: sizes.organizations, atOnce: 50_000, rows: (a, b) => orgRows(ground, a, b) },
    { name: 'users', total: sizes.users, atOnce: 50_000, rows: (from, to) => userRows(ground, from, to) },
    // By contact: ten or more events each.
    { name: 'contacts with events', total: sizes.contacts, atOnce: 10_000, rows: (a, b) => eventRows(ground, a, b) },
  ];
}

/**
 * @param {Ground} ground
 * @param {number} from
 * @param {number} to
 * @returns {Copied[]}
 */
function contactRows({ tenantId, base, listIds, emailIds }, from, to) {
  /** @type {string[]} */ const contacts = [];
  /** @type {string[]} */ const members = [];
  /** @type {string[]} */ const versions = [];
  /** @type {string[]} */ const stored = [];
  /** @type {string[]} */ const changes = [];
  const inList = listIds.map(() => 0);
  for (let n = from; n < to; n++) {
    const id = contactIdOf(n, base);
    const [address, at] = [addressOf(n), contactDate(n, base)];
    const renews = iso(base + ((n % 1440) - 720) * hourMs + (n % 3600) * 1000);
    const properties = `{"first_name":"Ada ${n}","plan":"${plans[n % 4]}","seats":${n % 40},"city":"City ${n % 1000}","renews":"${renews}","score":${(n * 7) % 100}}`;
    contacts.push(line([tenantId, id, address, properties, at, at, `${address}\\tada ${n}`]));
    // A tenth, a hundredth and a thousandth.
    for (const [i, listId] of listIds.entries()) {
      if (n % 10 ** (i + 1) !== i + 1) continue;
      members.push(line([tenantId, `\\\\x${listId}`, id, at]));
      inList[i] = (inList[i] ?? 0) + 1;
    }
    if (n % 100 === 5) {
      versions.push(line([tenantId, `\\\\x${emailIds[0]}`, id, `Ada ${n}`, '<p>For you alone.</p>', at, at]));
      stored.push(line([tenantId, `\\\\x${emailIds[0]}`, at, address, 'stored']));
    }
    if (n % 10 === 4)
      changes.push(line([tenantId, id, 'plan', '"trial"', `"${plans[n % 4]}"`, 'api', iso(base - 30 * dayMs)]));
  }
  const counts = [
    ['contacts', to - from],
    ...listIds.map((id, i) => [`list_members:${id}`, inList[i] ?? 0]),
    [`email_versions:${emailIds[0]}`, versions.length],
    [`email_activity:${emailIds[0]}:stored`, stored.length],
  ];
  return [
    {
      text: 'contact (tenant_id, contact_id, email, properties, created_at, updated_at, search_text)',
      lines: contacts,
    },
    { text: 'list_member (tenant_id, list_id, contact_id, added_at)', lines: members },
    {
      text: 'email_version (tenant_id, email_id, contact_id, subject, html, created_at, updated_at)',
      lines: versions,
    },
    { text: 'email_activity (tenant_id, email_id, occurred_at, address, outcome)', lines: stored },
    {
      text: 'contact_change (tenant_id, contact_id, field, old_value, new_value, source, changed_at)',
      lines: changes,
    },
    { text: counter, lines: counts.map(([name, n]) => line([tenantId, name ?? '', n ?? 0])) },
  ];
}

/**
 * @param {Ground} ground
 * @param {number} from
 * @param {number} to
 * @returns {Copied[]}
 */
function orgRows({ tenantId, base }, from, to) {
  const lines = [];
  for (let n = from; n < to; n++) {
    const at = contactDate(n, base);
    const properties = `{"tier":"${plans[n % 4]}","employees":${n % 500}}`;
    lines.push(line([tenantId, `o${n}`, `Org ${n}`, properties, at, at, `org ${n}\\to${n}`]));
  }
  return [
    { text: 'organization (tenant_id, org_id, name, properties, created_at, updated_at, search_text)', lines },
    { text: counter, lines: [line([tenantId, 'organizations', to - from])] },
  ];
}

/**
 * User `u7` is contact 14. One in a hundred is in the first organization, which is large.
 * @param {Ground} ground
 * @param {number} from
 * @param {number} to
 * @returns {Copied[]}
 */
function userRows({ tenantId, base, sizes }, from, to) {
  const users = [];
  const memberships = [];
  /** @type {Map<string, number>} */ const members = new Map();
  for (let n = from; n < to; n++) {
    const at = contactDate(2 * n, base);
    const orgId = `o${n % 100 === 0 ? 0 : n % sizes.organizations}`;
    users.push(line([tenantId, `u${n}`, contactIdOf(2 * n, base), `{"role":"${plans[n % 4]}"}`, at, at]));
    memberships.push(line([tenantId, orgId, `u${n}`, at]));
    members.set(orgId, (members.get(orgId) ?? 0) + 1);
  }
  return [
    { text: 'product_user (tenant_id, user_id, contact_id, properties, created_at, updated_at)', lines: users },
    { text: 'org_membership (tenant_id, org_id, user_id, created_at)', lines: memberships },
    { text: counter, lines: [...members].map(([orgId, n]) => line([tenantId, `org_members:${orgId}`, n])) },
  ];
}

/**
 * Events, how many each contact has per month, and how many there are of each name per day.
 * @param {Ground} ground
 * @param {number} from
 * @param {number} to
 * @returns {Copied[]}
 */
function eventRows({ tenantId, base, sizes }, from, to) {
  const events = [];
  const counts = [];
  /** @type {Map<string, number[]>} Events, first and last moment. */ const days = new Map();
  for (let n = from; n < to; n++) {
    const id = contactIdOf(n, base);
    /** @type {Map<number, number>} */ const months = new Map();
    for (let k = 0; k < eventsOf(n, sizes); k++) {
      const { at, name, rows } = eventOf(n, k, base);
      const user = n % 2 === 0 ? `u${n / 2}` : null;
      const properties = `{"format":"csv","rows":${rows},"source":"dashboard"}`;
      // Negative numbers collide with no others.
      events.push(line([tenantId, id, iso(at), -1 - k - n * 1000, name, user, null, properties]));
      months.set(firstMonth(at), (months.get(firstMonth(at)) ?? 0) + 1);
      const day = `${iso(at).slice(0, 10)}\t${name}`;
      const [count = 0, first = at, last = at] = days.get(day) ?? [];
      days.set(day, [count + 1, Math.min(first, at), Math.max(last, at)]);
    }
    for (const [month, count] of months) counts.push(line([tenantId, id, month, count]));
  }
  const deltas = [...days].map(([day, [count = 0, first = 0, last = 0]]) => {
    const [date = '', name = ''] = day.split('\t');
    return line([tenantId, name, date, count, iso(first), iso(last)]);
  });
  return [
    {
      text: 'event (tenant_id, contact_id, event_date, event_no, event_name, user_id, org_id, properties)',
      lines: events,
    },
    { text: 'event_count (tenant_id, contact_id, month, events)', lines: counts },
    { text: 'event_delta (tenant_id, event_name, day, events, first_at, last_at)', lines: deltas },
  ];
}
