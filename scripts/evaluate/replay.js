// Replays recorded tasks: a question in words, the calls that answer it, and the facts that the answers must contain. No model is involved.
import { isDeepStrictEqual } from 'node:util';

/**
 * @typedef {object} Call
 * @property {string} tool
 * @property {Record<string, unknown>} [given] `$name` stands for what an earlier call kept.
 * @property {Record<string, string>} [keep] Names for places in the answer.
 *
 * @typedef {unknown | { includes: string } | { atLeast: number } | { size: number }} Expected
 *
 * @typedef {object} Task
 * @property {string} question
 * @property {Call[]} calls
 * @property {[place: string, expected: Expected][]} facts A place is the number of the call and a path: `2.items.name=Onboarding.status`.
 * @property {string} [answer] For docs/agents.md. `{1.total}` stands for what is at a place.
 *
 * @typedef {{ content: unknown, structuredContent?: unknown, isError?: boolean | undefined }} Result
 * @typedef {{ callTool(call: { name: string, arguments: Record<string, unknown> }): Promise<Result> }} Client
 * @typedef {{ wrong: string[], answer: string | undefined, calls: number, bytes: number }} Outcome
 */

/**
 * @param {Client} client
 * @param {Task} task
 * @returns {Promise<Outcome>}
 */
export async function replay(client, { calls, facts, answer }) {
  /** @type {Record<string, unknown>} */
  const kept = {};
  /** @type {unknown[]} */
  const told = [];
  let bytes = 0;
  for (const { tool, given = {}, keep = {} } of calls) {
    const result = await client.callTool({ name: tool, arguments: /** @type {any} */ (fill(given, kept)) });
    bytes += Buffer.byteLength(JSON.stringify(result));
    const data = /** @type {Record<string, unknown>} */ (result.structuredContent ?? {});
    told.push({ ...data, isError: result.isError === true });
    for (const [name, path] of Object.entries(keep)) kept[name] = at(data, path);
  }
  const wrong = facts.flatMap(([place, expected]) => {
    const found = placed(told, place);
    return holds(found, fill(expected, kept)) ? [] : [`${place} is ${short(found)}, not ${short(expected)}`];
  });
  const said = answer?.replace(/\{([^}]+)\}/g, (_all, place) => inWords(placed(told, place)));
  return { wrong, answer: said, calls: calls.length, bytes };
}

/**
 * @param {unknown} value
 * @param {Record<string, unknown>} kept
 * @returns {unknown}
 */
function fill(value, kept) {
  if (typeof value === 'string' && value.startsWith('$')) return kept[value.slice(1)];
  if (Array.isArray(value)) return value.map((each) => fill(each, kept));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, fill(each, kept)]));
}

/** @param {unknown[]} told @param {string} place */
function placed(told, place) {
  const [call = '', ...path] = place.split('.');
  return at(told[Number(call) - 1], path.join('.'));
}

/**
 * @param {unknown} value
 * @param {string} path
 * @returns {unknown}
 */
function at(value, path) {
  return path.split('.').reduce((/** @type {any} */ found, part) => {
    const [key = '', wanted] = part.split('=');
    if (wanted === undefined) return found?.[key];
    return Array.isArray(found) ? found.find((each) => each[key] === wanted) : undefined;
  }, value);
}

/** @param {any} found @param {any} expected */
function holds(found, expected) {
  if (typeof expected === 'object' && expected !== null && !Array.isArray(expected)) {
    if ('includes' in expected) return String(found).includes(expected.includes);
    if ('atLeast' in expected) return typeof found === 'number' && found >= expected.atLeast;
    if ('size' in expected) return Array.isArray(found) && found.length === expected.size;
    if ('each' in expected) {
      const values = Array.isArray(found) ? found.map((item) => item[expected.each]) : [];
      return isDeepStrictEqual(values.sort(), [...expected.are].sort());
    }
  }
  return isDeepStrictEqual(found, expected);
}

/** @param {unknown} value */
const short = (value) => (JSON.stringify(value) ?? 'missing').slice(0, 300);

/** @param {unknown} value */
function inWords(value) {
  if (typeof value === 'number') return value.toLocaleString('en');
  return typeof value === 'string' ? value : short(value);
}
