// Messages with everything that is kept about them, and waiting enrolments. Figures are counted here as the service counts them: a recount
// finds no difference.
import { addressOf, contactIdOf, domainOf, enrolmentOf, hourOf, iso, line, messageOf, messagesEach } from './sizes.js';

/** @typedef {import('./place.js').Ground} Ground */
/** @typedef {import('./seed.js').Step} Step */
/** @typedef {import('./seed.js').Copied} Copied */

const bytes = (/** @type {string | undefined} */ hex) => (hex === undefined ? null : `\\\\x${hex}`);
const instant = (/** @type {number | undefined} */ ms) => (ms === undefined ? null : iso(ms));
const counter = 'counter_delta (tenant_id, counter, delta)';
const counted = /** @type {const} */ ([
  ...['sent', 'delivered', 'opened', 'unique_opened', 'clicked', 'unique_clicked', 'hard_bounced', 'machine_opened'],
]);

/** @param {Ground} ground @returns {Step[]} */
export function mailSteps(ground) {
  const { sizes } = ground;
  return [
    { name: 'waiting', total: sizes.waiting, atOnce: 20_000, rows: (from, to) => waitingRows(ground, from, to) },
    { name: 'messages', total: sizes.messages, atOnce: 20_000, rows: (from, to) => messageRows(ground, from, to) },
    // By contact.
    { name: 'activity counts', total: sizes.contacts, atOnce: 20_000, rows: (a, b) => countRows(ground, a, b) },
  ];
}

/**
 * @param {Ground} ground
 * @param {number} from
 * @param {number} to
 * @returns {Copied[]}
 */
function waitingRows({ tenantId, base, sizes, journeyNos }, from, to) {
  const enrolments = [];
  const turns = [];
  const tallies = new Tallies();
  /** @type {Map<number, number>} */ const active = new Map();
  for (let i = from; i < to; i++) {
    const { n, at, id, journey, until } = enrolmentOf(i, sizes, base);
    const no = journeyNos[journey] ?? 0;
    const [entered, ends] = [iso(at), iso(until)];
    const words = '{"event":{"source":"website"}}';
    enrolments.push(
      line([tenantId, id, no, 1, contactIdOf(n, base), 'wait', 2, entered, 'waiting', ends, ends, entered, 2, words]),
    );
    const lines = `[["entered",null,"eventCame",{"eventName":"enters_${journey}"}],["step","mail"],["message","mail","queued"],["step","wait"],["waiting","wait","waits",{"until":${until},"atMost":true}]]`;
    turns.push(line([tenantId, id, entered, lines]));
    for (const what of ['\tentered', 'mail\tentered', 'mail\tleft', 'mail\ttook:0', 'wait\tentered'])
      tallies.add(`${no}\t${what}`, at, 0);
    active.set(no, (active.get(no) ?? 0) + 1);
  }
  const figures = tallies.rows().map(([key, hour, [n = 0]]) => {
    const [no = '', step = '', what = ''] = key.split('\t');
    return line([tenantId, no, step, '', what, hour, n]);
  });
  return [
    {
      text: 'enrolment (tenant_id, enrolment_id, journey_no, version, contact_id, step_id, visit, step_at, phase, wait_until, due_at, entered_at, restless, words)',
      lines: enrolments,
    },
    { text: 'enrolment_turn (tenant_id, enrolment_id, at, lines)', lines: turns },
    { text: 'journey_tally_delta (tenant_id, journey_no, step_id, part, what, hour, n)', lines: figures },
    { text: counter, lines: [...active].map(([no, n]) => line([tenantId, `enrolments:${no}:active`, n])) },
  ];
}

/** Sums by key and hour. */
class Tallies {
  /** @type {Map<string, number[]>} */
  #sums = new Map();

  /**
   * @param {string} key
   * @param {number} at
   * @param {number} place
   */
  add(key, at, place) {
    const full = `${key}\n${hourOf(at)}`;
    const sums = this.#sums.get(full) ?? counted.map(() => 0);
    sums[place] = (sums[place] ?? 0) + 1;
    this.#sums.set(full, sums);
  }

  /** @returns {[string, string, number[]][]} */
  rows() {
    return [...this.#sums].map(([full, sums]) => {
      const [key = '', hour] = full.split('\n');
      return [key, iso(Number(hour)), sums];
    });
  }
}

/**
 * @param {Ground} ground
 * @param {number} from
 * @param {number} to
 * @returns {Copied[]}
 */
function messageRows(ground, from, to) {
  const { tenantId, base, sizes, emailIds, journeyIds, linkNos, hashOf } = ground;
  /** @type {Record<'messages' | 'attempts' | 'events' | 'activity' | 'suppressed', string[]>} */
  const out = { messages: [], attempts: [], events: [], activity: [], suppressed: [] };
  const tallies = new Tallies();
  for (let j = from; j < to; j++) {
    const message = messageOf(j, sizes, base);
    const { n, id, email, sent, bounced } = message;
    const [contactId, emailId] = [contactIdOf(n, base), emailIds[email]];
    out.messages.push(messageLine(ground, j, message));
    if (sent === undefined) continue;
    out.attempts.push(line([tenantId, id, iso(sent), '250 2.0.0 Ok', 'sent']));
    const isOfJourney = message.enrolment !== undefined;
    const journeyId = isOfJourney ? journeyIds[email] : undefined;
    const subjects = ['t', `e:${emailId}:default`, `d:${domainOf(n)}`];
    if (journeyId) subjects.push(`j:${journeyId}:mail:${emailId}`);
    const count = (/** @type {typeof counted[number]} */ what, /** @type {number} */ at) => {
      for (const subject of subjects) tallies.add(subject, at, counted.indexOf(what));
    };
    for (const [place, { what, at, isMachine, counts }] of happened(message).entries()) {
      const [isClick, activityNo] = [what === 'clicked', j * 4 + place + 1];
      out.activity.push(
        line([
          ...[tenantId, contactId, iso(at), activityNo, what, bytes(journeyId), bytes(emailId), `Hello, Ada ${n}`],
          ...[isClick ? linkOf(email) : null, isMachine ? 't' : 'f'],
        ]),
      );
      for (const each of counts) count(each, at);
      if (what === 'sent') continue;
      const judged = what === 'opened' || isClick;
      out.events.push(
        line([
          ...[
            tenantId,
            id,
            iso(at),
            what,
            isClick ? linkOf(email) : what === 'bounced' ? '550 5.1.1 No such user' : null,
          ],
          ...[isClick ? 0 : null, judged ? (isMachine ? 't' : 'f') : null, judged ? 2 : null, activityNo],
          isClick ? (linkNos[email] ?? null) : null,
        ]),
      );
      if (!isClick) continue;
      for (const each of /** @type {const} */ (['clicked', 'unique_clicked']))
        tallies.add(`l:${linkNos[email]}`, at, counted.indexOf(each));
    }
    if (bounced !== undefined)
      out.suppressed.push(line([tenantId, bytes(hashOf(addressOf(n))), addressOf(n), 'bounced', iso(bounced)]));
  }
  const figures = tallies.rows().map(([subject, hour, sums]) => line([tenantId, subject, hour, ...sums]));
  return [
    { text: `message (${messageColumns})`, lines: out.messages },
    { text: 'message_attempt (tenant_id, message_id, at, reply, outcome)', lines: out.attempts },
    {
      text: 'message_event (tenant_id, message_id, at, what, detail, link_no, is_machine, rules, activity_no, click_of)',
      lines: out.events,
    },
    {
      text: 'marketing_activity (tenant_id, contact_id, event_date, event_no, event_name, journey_id, email_id, email_subject, link_url, is_machine)',
      lines: out.activity,
    },
    { text: 'suppression (tenant_id, address_hash, address, reason, created_at)', lines: out.suppressed },
    { text: `message_tally_delta (tenant_id, subject, hour, ${counted.join(', ')})`, lines: figures },
    {
      text: counter,
      lines: [line([tenantId, 'messages', to - from]), line([tenantId, 'suppressions', out.suppressed.length])],
    },
  ];
}

export const linkOf = (/** @type {number} */ email) => `https://example.com/page-${email}`;

const messageColumns = `tenant_id, message_id, kind, state, reason, contact_id, address, email_id, subject, version, journey_id, enrolment_id,
  step_id, visit, queued_at, due_at, sent_at, delivered_at, first_opened_at, first_clicked_at, bounced_at, sender_domain, content_hash, links,
  attempts, first_tried_at, domain`;

/**
 * @param {Ground} ground
 * @param {number} j
 * @param {ReturnType<typeof messageOf>} message
 */
function messageLine({ tenantId, base, sizes, emailIds, journeyIds, contentHashes }, j, message) {
  const { n, at, id, enrolment, email, sent, delivered, opened, clicked, bounced } = message;
  const state = sent === undefined ? 'skipped' : bounced === undefined ? 'delivered' : 'bounced';
  const reason = { skipped: 'bounced', delivered: null, bounced: '550 5.1.1 No such user' }[state] ?? null;
  const wasSent = sent !== undefined;
  return line([
    ...[tenantId, id, enrolment === undefined ? (j % 10 === 1 ? 'transactional' : 'direct') : 'journey', state, reason],
    ...[contactIdOf(n, base), addressOf(n), bytes(emailIds[email]), wasSent ? `Hello, Ada ${n}` : null],
    ...[wasSent ? 'default' : null, enrolment === undefined ? null : bytes(journeyIds[email])],
    ...(enrolment === undefined ? [null, null, null] : [enrolmentOf(enrolment, sizes, base).id, 'mail', 1]),
    ...[iso(at), iso(at), instant(sent), instant(delivered), instant(opened), instant(clicked), instant(bounced)],
    ...['example.com', wasSent ? bytes(contentHashes[email]) : null, wasSent ? 1 : null, wasSent ? 1 : 0],
    ...[instant(sent), wasSent ? domainOf(n) : null],
  ]);
}

/**
 * A contact's activity from one message, in order, and what each entry counts for.
 * @param {ReturnType<typeof messageOf>} message
 */
function happened({ sent, delivered, opened, machineOpened, clicked, bounced }) {
  /** @type {{ what: string, at: number, isMachine?: boolean, counts: (typeof counted[number])[] }[]} */
  const all = [];
  if (sent !== undefined) all.push({ what: 'sent', at: sent, counts: ['sent'] });
  if (bounced !== undefined) all.push({ what: 'bounced', at: bounced, counts: ['hard_bounced'] });
  if (delivered !== undefined) all.push({ what: 'delivered', at: delivered, counts: ['delivered'] });
  if (opened !== undefined) all.push({ what: 'opened', at: opened, counts: ['opened', 'unique_opened'] });
  if (machineOpened !== undefined)
    all.push({ what: 'opened', at: machineOpened, isMachine: true, counts: ['machine_opened'] });
  if (clicked !== undefined) all.push({ what: 'clicked', at: clicked, counts: ['clicked', 'unique_clicked'] });
  return all;
}

/**
 * How much activity each contact has per month.
 * @param {Ground} ground
 * @param {number} from
 * @param {number} to
 * @returns {Copied[]}
 */
function countRows({ tenantId, base, sizes }, from, to) {
  const lines = [];
  for (let n = from; n < to; n++) {
    /** @type {Map<number, number>} */ const months = new Map();
    for (let round = 0; round < messagesEach; round++) {
      for (const { at } of happened(messageOf(n + round * sizes.contacts, sizes, base))) {
        const date = new Date(at);
        const month = date.getUTCFullYear() * 12 + date.getUTCMonth();
        months.set(month, (months.get(month) ?? 0) + 1);
      }
    }
    for (const [month, events] of months) lines.push(line([tenantId, contactIdOf(n, base), month, events]));
  }
  return [{ text: 'marketing_activity_count (tenant_id, contact_id, month, events)', lines }];
}
