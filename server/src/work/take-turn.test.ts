// The logic of a turn, on units in memory and without a clock: which units are done, ended or postponed, and in which order.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Transaction } from '../db/database.js';
import { locks } from '../db/locks.js';
import type { Watch } from './queue.js';
import { mostAttempts, type Runs, type Transactions, takeTurn, Widths } from './take-turn.js';

type Nature = 'good' | 'poison' | 'bug' | 'away';
interface Unit {
  name: string;
  nature: Nature;
  attempts: number;
}

const errors: Record<Exclude<Nature, 'good'>, Error> = {
  poison: Object.assign(new Error('bad data'), { code: '22001' }),
  bug: new Error('oops'),
  away: Object.assign(new Error('gone'), { code: '57P01' }),
};

/** A queue in memory. A transaction that fails changes nothing; a turn sees what the last one left. */
class Memory implements Transactions {
  done: string[] = [];
  ended: string[] = [];
  reasons: string[] = [];
  tries = 0;
  /** Whether the oldest unit waits for its next attempt. */
  isPostponed = false;
  waits: number[] = [];
  transactions = 0;
  /** Whether another worker has the tenant when this transaction starts. */
  isTaken = (_transaction: number): boolean => false;

  constructor(public units: Unit[]) {}

  async transaction<T>(work: (tx: Transaction) => Promise<T>): Promise<T> {
    const before = structuredClone([this.units, this.done, this.ended]) as [Unit[], string[], string[]];
    const effects: (() => void)[] = [];
    const isTaken = this.isTaken(++this.transactions);
    const locked = async () => ({ locked: !isTaken, now: '2026-11-15T00:00:00.000Z' });
    try {
      const tx = { row: locked, afterCommit: (effect: () => void) => effects.push(effect) };
      const result = await work(tx as unknown as Transaction);
      for (const effect of effects) effect();
      return result;
    } catch (error) {
      [this.units, this.done, this.ended] = before;
      throw error;
    }
  }

  readonly runs: Runs = {
    lock: locks.writes,
    most: 8,
    take: async (_tx, _tenantId, atMost) => {
      const taken = this.isPostponed ? [] : this.units.slice(0, atMost);
      const [first] = taken;
      if (!first) return undefined;
      this.tries++;
      return {
        first: first.name,
        kind: 'test',
        attempts: first.attempts,
        units: new Map([['test', taken.length]]),
        apply: async () => {
          for (const unit of taken) {
            if (unit.nature !== 'good') throw errors[unit.nature];
            this.units.shift();
            this.done.push(unit.name);
          }
        },
      };
    },
    refuse: async (_tx, _tenantId, first, why) => {
      if (this.units[0]?.name !== first) return false;
      this.ended.push((this.units.shift() as Unit).name);
      this.reasons.push(why);
      return true;
    },
    postpone: async (_tx, _tenantId, _first, { attempts, waitMs }) => {
      for (const unit of this.units.slice(0, 8)) unit.attempts = Math.max(unit.attempts, attempts);
      this.isPostponed = true;
      this.waits.push(waitMs);
    },
  };
}

const heard = () => {
  const told = { done: 0, retried: 0, failed: 0 };
  const watch: Watch = {
    done: (_kind, count) => {
      told.done += count;
    },
    retried: () => {
      told.retried++;
    },
    failed: () => {
      told.failed++;
    },
  };
  return { told, watch };
};

function unitsOf(natures: Nature[]): Unit[] {
  return natures.map((nature, i) => ({ name: `${i}`, nature, attempts: 0 }));
}

/** Takes turns until nothing is left. Postponed units are due again at once: time is not tested here. */
async function drain(memory: Memory, watch: Watch = heard().watch): Promise<void> {
  const widths = new Widths(memory.runs.most);
  for (let turns = 0; memory.units.length > 0; turns++) {
    if (turns > 10_000) throw new Error('It spins');
    memory.isPostponed = false;
    await takeTurn(memory, memory.runs, widths, 1, watch);
  }
}

describe('a turn', () => {
  it('does every good unit once and in order, and ends every other with a reason, whatever they are', async () => {
    const natures = fc.array(fc.constantFrom<Nature>('good', 'good', 'good', 'poison', 'bug'), { maxLength: 40 });
    await fc.assert(
      fc.asyncProperty(natures, async (all) => {
        const memory = new Memory(unitsOf(all));
        const { told, watch } = heard();
        await drain(memory, watch);
        const named = (wanted: (nature: Nature) => boolean) =>
          all.flatMap((nature, i) => (wanted(nature) ? `${i}` : []));
        expect(memory.done).toEqual(named((nature) => nature === 'good'));
        expect(memory.ended).toEqual(named((nature) => nature !== 'good'));
        expect(memory.reasons).toHaveLength(memory.ended.length);
        expect(told).toMatchObject({ done: memory.done.length, failed: memory.ended.length });
      }),
      { numRuns: 200 },
    );
  });

  it('ends what can never be done at once, with what the caller can do about it', async () => {
    const memory = new Memory(unitsOf(['good', 'poison', 'good']));
    await drain(memory);
    expect(memory.waits).toEqual([]);
    expect(memory.reasons).toEqual(['cannot be applied (code 22001). Check its values and send it again.']);
  });

  it('gives an unexpected error five attempts, with longer waits in between, and then ends the unit', async () => {
    const memory = new Memory(unitsOf(['bug']));
    const { told, watch } = heard();
    await drain(memory, watch);
    expect(memory.waits).toEqual([100, 400, 1600, 6400]);
    expect(told).toEqual({ done: 0, retried: mostAttempts - 1, failed: 1 });
    expect(memory.reasons[0]).toContain('(Error) came 5 times');
  });

  it('does what comes before an unexpected error without waiting for it', async () => {
    const memory = new Memory(unitsOf(['good', 'good', 'good', 'bug', 'good']));
    const widths = new Widths(memory.runs.most);
    await takeTurn(memory, memory.runs, widths, 1, heard().watch);
    while (!memory.isPostponed) await takeTurn(memory, memory.runs, widths, 1, heard().watch);
    expect(memory.done).toEqual(['0', '1', '2']);
  });

  it('tries each unit about once if all of them fail, after the first had its attempts', async () => {
    const memory = new Memory(unitsOf(Array.from({ length: 64 }, (): Nature => 'bug')));
    await drain(memory);
    expect(memory.ended).toHaveLength(64);
    // The first eight share four waits, and so does each eight after them.
    expect(memory.waits).toHaveLength(4 * 8);
    expect(memory.tries).toBeLessThan(64 + 4 * 8 + 10);
  });

  it('throws errors that pass by waiting, and changes nothing', async () => {
    const memory = new Memory(unitsOf(['good', 'away']));
    const widths = new Widths(memory.runs.most);
    await expect(takeTurn(memory, memory.runs, widths, 1, heard().watch)).rejects.toThrow('gone');
    expect(memory).toMatchObject({ done: [], ended: [], waits: [] });
    expect(memory.units).toHaveLength(2);
  });

  it('ends only the unit that failed, even if another one is first by then', async () => {
    const memory = new Memory(unitsOf(['poison', 'good']));
    const { runs } = memory;
    // Another worker comes by between the attempt and the end, and ends the unit itself.
    const raced: Runs = {
      ...runs,
      refuse: async (tx, tenantId, first, why, now) => {
        await runs.refuse(tx, tenantId, first, 'by the other', now);
        return runs.refuse(tx, tenantId, first, why, now);
      },
    };
    expect(await takeTurn(memory, raced, new Widths(1), 1, heard().watch)).toBe(0);
    expect(memory).toMatchObject({ ended: ['0'], reasons: ['by the other'] });
    await drain(memory);
    expect(memory.done).toEqual(['1']);
  });
});

it('finds what cannot be done although another worker comes in between again and again', async () => {
  const good = Array.from({ length: 9 }, (_, i) => ({ name: `good ${i}`, nature: 'good' as const, attempts: 0 }));
  const memory = new Memory([{ name: 'poison', nature: 'poison', attempts: 0 }, ...good]);
  memory.isTaken = (transaction) => transaction % 3 === 0;
  const widths = new Widths(memory.runs.most);
  for (let turn = 0; turn < 30; turn++) await takeTurn(memory, memory.runs, widths, 1, heard().watch);
  expect(memory.ended).toEqual(['poison']);
  expect(memory.done).toEqual(good.map(({ name }) => name));
});
