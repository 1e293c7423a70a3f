// One line per measurement, printed as soon as it is known, and all of them at the end as a table that can be kept.

/** @typedef {import('./measure.js').Times} Times */

// Tolerances for p99, and for rates.
const mostSlower = 2;
const leastRate = 0.8;
// Below this many milliseconds for both, the comparison shows the clock and the scheduler, not the data.
const tooShort = 2;

const ms = (/** @type {number} */ n) => (n < 10 ? n.toFixed(1) : n.toFixed(0));
const whole = (/** @type {number} */ n) => Math.round(n).toLocaleString('en');

export class Table {
  /** @type {string[][]} */
  #lines = [];
  #misses = 0;
  #judged = 0;

  /**
   * @param {(line: string) => void} say
   * @param {number} small
   * @param {number} large
   */
  constructor(say, small, large) {
    this.say = say;
    this.scales = [String(small), String(large)];
  }

  /** @param {number} small @param {number} large */
  isMiss(small, large) {
    return large > tooShort && large > small * mostSlower;
  }

  /** @param {string} what @param {Times} small @param {Times} large */
  times(what, small, large) {
    const ratio = large.p99 / small.p99;
    const isMiss = this.isMiss(small.p99, large.p99);
    const cells = [small, large].map(({ p50, p99 }) => `${ms(p50)} / ${ms(p99)} ms`);
    this.#add([what, ...cells, ratio.toFixed(2), verdict(isMiss, `at most ${mostSlower}`)], isMiss);
  }

  /** @param {string} what @param {number} small @param {number} large */
  rate(what, small, large) {
    const isMiss = large < small * leastRate;
    this.#add(
      [what, whole(small), whole(large), (large / small).toFixed(2), verdict(isMiss, `at least ${leastRate}`)],
      isMiss,
    );
  }

  /** A line without a goal. @param {string} what @param {string} small @param {string} large */
  plain(what, small, large) {
    this.#add([what, small, large, '', '']);
  }

  /** @param {string[]} line @param {boolean} [isMiss] */
  #add(line, isMiss) {
    this.#lines.push(line);
    if (isMiss !== undefined) this.#judged++;
    if (isMiss) this.#misses++;
    this.say(line.filter(Boolean).join(' | '));
  }

  print() {
    const head = ['p50 / p99, or a rate', ...this.scales.map((scale) => `scale ${scale}`), 'ratio', 'goal'];
    this.say('');
    for (const line of [head, head.map(() => '---'), ...this.#lines]) this.say(`| ${line.join(' | ')} |`);
    this.say(`${this.#misses} of ${this.#judged} lines miss their goal`);
  }
}

/** @param {boolean} isMiss @param {string} goal */
const verdict = (isMiss, goal) => (isMiss ? `**${goal}: missed**` : goal);
