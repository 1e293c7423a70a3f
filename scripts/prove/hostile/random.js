/** Repeatable random numbers: the same seed and number make the same request from the same stock. */
export class Random {
  /**
   * @param {number} seed
   * @param {number} [n]
   */
  constructor(seed, n = 0) {
    this.state = (Math.imul(seed ^ 0x9e3779b9, 0x85ebca6b) + Math.imul(n + 1, 0xc2b2ae35)) >>> 0;
  }

  /** From 0 to 1. Mulberry32. */
  next() {
    this.state = (this.state + 0x6d2b79f5) >>> 0;
    let t = this.state;
    t = Math.imul(t ^ (t >>> 15), t | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  }

  /** @param {number} below */
  whole(below) {
    return Math.floor(this.next() * below);
  }

  /** @param {number} share */
  chance(share) {
    return this.next() < share;
  }

  /**
   * @template T
   * @param {readonly T[]} items
   * @returns {T}
   */
  pick(items) {
    return /** @type {T} */ (items[this.whole(items.length)]);
  }

  word(length = 8) {
    return Array.from({ length }, () => 'abcdefghijklmnopqrstuvwxyz0123456789'[this.whole(36)]).join('');
  }
}
