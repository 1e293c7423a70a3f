// Clocks of single processes that can be set, by libfaketime where it is installed (Debian: `libfaketime`). Timers keep their pace.
import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const hour = 3600;

function findLibrary() {
  const folder = '/usr/lib';
  const places = existsSync(folder) ? readdirSync(folder) : [];
  return ['.', ...places].map((place) => join(folder, place, 'faketime/libfaketime.so.1')).find(existsSync);
}

const library = findLibrary();

/** Whether clocks can be set. */
export const canJump = library !== undefined;

export class Clock {
  #file;

  /** @param {string} file Says how far it is off. */
  constructor(file) {
    this.#file = file;
    this.#set(0);
  }

  /** What the process needs in its environment. @returns {Record<string, string>} */
  get env() {
    if (!library) return {};
    const read = { FAKETIME_TIMESTAMP_FILE: this.#file, FAKETIME_CACHE_DURATION: '1' };
    return { LD_PRELOAD: library, FAKETIME_DONT_FAKE_MONOTONIC: '1', ...read };
  }

  /** By an hour up to a day, ahead or back. @param {() => number} random */
  jump(random) {
    this.#set((random() < 0.5 ? -1 : 1) * Math.round(hour + random() * 23 * hour));
  }

  right() {
    this.#set(0);
  }

  /** @param {number} seconds */
  #set(seconds) {
    writeFileSync(this.#file, `${seconds < 0 ? '-' : '+'}${Math.abs(seconds)}\n`);
  }
}
