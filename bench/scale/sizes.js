// How many rows of each kind there are at a scale, and what each row contains: all of it follows from the row's number, so that seeding can
// resume where it stopped, and counts can be computed without reading.

export const dayMs = 86_400_000;
const hourMs = 3_600_000;
const minuteMs = 60_000;
const eventsEach = 10;
export const messagesEach = 5;
export const emailCount = 10;
export const journeyCount = 10;
const domainCount = 20;
const daysOfEvents = 360;
// None are from the last day: pauses look only at that, so nothing has to be made up for them.
const daysOfMail = 90;

/** @param {number} scale 1 is 10 million contacts. */
export function sizesOf(scale) {
  // Whole hundreds: the last digits of a contact's number determine its kind.
  const contacts = Math.max(100, Math.round((10_000_000 * scale) / 100) * 100);
  return {
    contacts,
    organizations: contacts / 10,
    users: contacts / 2,
    events: contacts * eventsEach + eventsOfFirst(contacts),
    waiting: contacts / 2,
    messages: contacts * messagesEach,
  };
}
/** @typedef {ReturnType<typeof sizesOf>} Sizes */

/** The first contact has many more, so that there are late pages to read. */
const eventsOfFirst = (/** @type {number} */ contacts) => contacts / 100;
export const eventsOf = (/** @type {number} */ n, /** @type {Sizes} */ sizes) =>
  eventsEach + (n === 0 ? eventsOfFirst(sizes.contacts) : 0);

/** Spreads numbers evenly and deterministically. @param {number} n */
export function mix(n) {
  let h = Math.imul(n ^ 0x9e3779b9, 0x85ebca6b);
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35) ^ Math.floor(n / 0x1_0000_0000);
  return (h ^ (h >>> 16)) >>> 0;
}

const hex = (/** @type {number} */ n, /** @type {number} */ digits) => n.toString(16).padStart(digits, '0');
export const iso = (/** @type {number} */ ms) => new Date(ms).toISOString();
export const hourOf = (/** @type {number} */ ms) => Math.floor(ms / hourMs) * hourMs;

/** Version 7 as the service makes them: the time, then a unique part. @param {number} ms @param {number} kind @param {number} n */
const idAt = (ms, kind, n) => `${hex(ms, 12)}7${hex(kind, 3)}8${hex(n, 15)}`;

const createdAt = (/** @type {number} */ n, /** @type {number} */ base) => base - 400 * dayMs + n;
export const contactIdOf = (/** @type {number} */ n, /** @type {number} */ base) => idAt(createdAt(n, base), 1, n);
export const addressOf = (/** @type {number} */ n) => `c${n}@example${n % domainCount}.com`;
export const domainOf = (/** @type {number} */ n) => `example${n % domainCount}.com`;
export const contactDate = (/** @type {number} */ n, /** @type {number} */ base) => iso(createdAt(n, base));

const eventNames = ['page_viewed', 'page_viewed', 'page_viewed', 'login', 'login', 'report_exported', 'invite_sent'];

/**
 * The k-th event of a contact.
 * @param {number} n
 * @param {number} k
 * @param {number} base
 */
export function eventOf(n, k, base) {
  const h = mix(n * 16 + k + (k >> 4) * 7919);
  const at = base - 2 * hourMs - (h % (daysOfEvents * 86_400)) * 1000 - (k % 1000);
  return { at, name: eventNames[h % 7] ?? '', rows: (h >>> 8) % 1000 };
}

/**
 * The j-th message. They were sent one after the other; every tenth is from a journey, to a contact that has waited there since.
 * @param {number} j
 * @param {Sizes} sizes
 * @param {number} base
 */
export function messageOf(j, sizes, base) {
  const n = j % sizes.contacts;
  const at = Math.floor(base - daysOfMail * dayMs + (j / sizes.messages) * (daysOfMail - 2) * dayMs);
  const enrolment = j % 10 === 0 ? j / 10 : undefined;
  const email = enrolment === undefined ? j % emailCount : journeyOf(enrolment, sizes);
  return { n, at, id: idAt(at, 2, j), enrolment, email, ...fateOf(j, n, sizes, at) };
}

/**
 * One address in a hundred bounces at the first mail and gets no more. Of the others half open, a tenth click; machines open some.
 * @param {number} j
 * @param {number} n
 * @param {Sizes} sizes
 * @param {number} at
 * @returns {{ sent?: number, delivered?: number, opened?: number, machineOpened?: number, clicked?: number, bounced?: number }}
 */
function fateOf(j, n, sizes, at) {
  if (n % 100 === 99) return j < sizes.contacts ? { sent: at, bounced: at + 2000 } : {};
  const part = mix(j) % 100;
  const opened = at + (3 + part) * minuteMs;
  return {
    sent: at,
    delivered: at + 1500,
    ...(part < 50 ? { opened } : part < 55 ? { machineOpened: opened } : {}),
    ...(part < 10 ? { clicked: opened + minuteMs } : {}),
  };
}

/** A different one each time a contact enters. @param {number} i @param {Sizes} sizes */
const journeyOf = (i, { contacts }) => (i + Math.floor((i * 10) / contacts)) % journeyCount;

/**
 * Contacts that wait in a journey: they entered when its mail was sent.
 * @param {number} i
 * @param {Sizes} sizes
 * @param {number} base
 */
export function enrolmentOf(i, sizes, base) {
  const { n, at, id: messageId } = messageOf(i * 10, sizes, base);
  return { n, at, id: idAt(at, 3, i), messageId, journey: journeyOf(i, sizes), until: base + 200 * dayMs + i };
}

/** A line of COPY. Text is used as it is, and must not need escaping. @param {(string | number | null)[]} values */
export const line = (values) => `${values.map((value) => value ?? '\\N').join('\t')}\n`;
