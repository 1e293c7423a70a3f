// Browsers in which a person signed in before. Guessing passwords from many networks locks out strangers, but not these.
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Clock } from '../../../lib/clock.js';
import { parseJson } from '../../../lib/parse-json.js';
import { randomToken } from '../../../lib/random.js';
import { type SecretBox, SecretBoxError } from '../../../lib/secret-box.js';
import type { PersonRow } from '../people/queries.js';
import type { Cookies } from '../sessions/cookies.js';

export interface KnownBrowserNeeds {
  clock: Clock;
  box: SecretBox;
  cookies: Cookies;
}

/** What the cookie holds, sealed. Nothing is stored here. */
interface Kept {
  /** What guesses in this browser are counted under. */
  id: string;
  /** Who signed in, and when last: milliseconds since 1970. */
  people: Record<string, number>;
}

const about = 'known browser';
// The longest that browsers keep a cookie.
const lastsSeconds = 400 * 86_400;
// For a browser that many people share, the last ones.
const mostPeople = 10;

/** The id of a browser in which this person signed in before. */
export function knownAs({ box, cookies }: KnownBrowserNeeds, request: FastifyRequest, person: PersonRow) {
  const kept = opened(box, cookies.read(request, 'device'));
  const since = kept?.people[person.personId];
  // Before the address was proven, it may have been another person.
  if (!kept || since === undefined || (person.provenAt !== null && since < Date.parse(person.provenAt)))
    return undefined;
  return kept.id;
}

/** From now on they are known in this browser. */
export function rememberBrowser(
  { box, clock, cookies }: KnownBrowserNeeds,
  request: FastifyRequest,
  reply: FastifyReply,
  personId: number,
): void {
  const before = opened(box, cookies.read(request, 'device'));
  const others = Object.entries(before?.people ?? {}).filter(([id]) => id !== String(personId));
  const people = [...others, [String(personId), clock.now().getTime()] as [string, number]]
    .sort(([, one], [, other]) => other - one)
    .slice(0, mostPeople);
  const kept: Kept = { id: before?.id ?? randomToken(''), people: Object.fromEntries(people) };
  cookies.set(reply, 'device', box.seal(JSON.stringify(kept), about).toString('base64url'), lastsSeconds);
}

function opened(box: SecretBox, cookie: string | undefined): Kept | undefined {
  if (cookie === undefined) return undefined;
  try {
    return parseJson(box.open(Buffer.from(cookie, 'base64url'), about).toString('utf8')) as Kept;
  } catch (error) {
    if (error instanceof SecretBoxError) return undefined;
    throw error;
  }
}
