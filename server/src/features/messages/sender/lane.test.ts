// Which messages wait in a lane, and for what.
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { systemClock } from '../../../lib/clock.js';
import { Pace } from '../../../mail/pace.js';
import type { Transport } from '../../../mail/transport.js';
import { Lane } from './lane.js';
import type { Prepared } from './prepare.js';

const transport: Transport = { name: 'smtp', send: async () => ({ reply: '250' }), close: () => undefined };
const mailOf = (tenantId: number, domain: string) => ({ mail: { tenantId }, domain }) as Prepared;
const many = (count: number, tenantId: number, domain: string) =>
  Array.from({ length: count }, () => mailOf(tenantId, domain));

function laneOf({ connections = 4, mostOfOne = 1000, perDomain = 10, elapsed = systemClock.elapsed } = {}) {
  const begun: { prepared: Prepared; end: () => void }[] = [];
  const back: { prepared: Prepared; waitMs: number }[] = [];
  const told: number[] = [];
  const lane = new Lane(
    transport,
    connections,
    mostOfOne,
    null,
    new Pace({ rate: null, perDomain }),
    { ...systemClock, elapsed },
    {
      send: (prepared) =>
        new Promise((resolve) => {
          begun.push({ prepared, end: () => resolve('sent') });
        }),
      putBack: (prepared, waitMs) => {
        for (const one of prepared) back.push({ prepared: one, waitMs });
      },
      onRoom: () => told.push(begun.length),
    },
  );
  const add = (prepared: readonly Prepared[]) => {
    for (const { mail } of prepared) lane.hold(mail.tenantId, 1);
    return lane.add(prepared);
  };
  return { lane, begun, back, told, add, tenants: () => begun.map(({ prepared }) => prepared.mail.tenantId) };
}

describe('a lane that tenants share', () => {
  it('has room for one tenant while another has used all it may', () => {
    const { lane, add } = laneOf();
    add(many(100, 1, 'a.test'));
    expect([lane.room(1), lane.room(2)]).toEqual([0, 100]);
    lane.close();
  });

  it('announces once that there is room again for a tenant, and once that there is room for any', () => {
    const { lane, told } = laneOf();
    const drop = (tenantId: number, times: number) => {
      for (let i = 0; i < times; i++) lane.drop(tenantId, 1);
      return told.splice(0).length;
    };
    lane.hold(1, 100);
    expect([drop(1, 49), drop(1, 1), drop(1, 50)]).toEqual([0, 1, 0]);
    for (const tenantId of [1, 2, 3]) lane.hold(tenantId, 90);
    // The fourth finds the lane full, and is told whichever message makes room.
    expect([lane.room(1), lane.room(4)]).toEqual([0, 0]);
    expect(drop(1, 20)).toBe(1);
    expect(lane.room(4)).toBe(50);
    lane.close();
  });

  it('gives turns to waiting tenants, however many messages one of them has', async () => {
    const { lane, add, begun, tenants } = laneOf({ connections: 2, perDomain: 1000 });
    add(many(50, 1, 'a.test'));
    add(many(2, 2, 'b.test'));
    for (const { end } of [...begun]) end();
    await sleep(0);
    expect(tenants()).toEqual([1, 1, 2, 1]);
    lane.close();
  });

  it('keeps a connection free of a tenant whose mail hangs, and puts none of it back', async () => {
    const { lane, add, begun, back, tenants } = laneOf({ connections: 3, mostOfOne: 2 });
    add(many(50, 1, 'hangs.test'));
    expect(tenants()).toEqual([1, 1]);
    add(many(2, 2, 'b.test'));
    expect(tenants()).toEqual([1, 1, 2]);
    begun[2]?.end();
    await sleep(0);
    expect(tenants()).toEqual([1, 1, 2, 2]);
    expect(back).toHaveLength(0);
    lane.close();
  });

  it('does not block others because of a saturated domain', () => {
    const { lane, add, begun, back } = laneOf({ connections: 8, perDomain: 2 });
    add(many(100, 1, 'slow.test'));
    expect(begun).toHaveLength(2);
    // Two are in flight, two are next.
    expect(back).toHaveLength(96);
    expect(back.every(({ waitMs }) => waitMs >= 1000)).toBe(true);
    expect(lane.room(1)).toBe(96);
    add(many(1, 1, 'b.test'));
    expect(begun).toHaveLength(3);
    lane.close();
  });

  it('sends nothing that was prepared long ago: a slow server gets an up-to-date message', async () => {
    let now = 1000;
    const { lane, add, begun, back } = laneOf({ connections: 1, elapsed: () => now });
    add(many(3, 1, 'a.test'));
    now += 10_001;
    begun[0]?.end();
    await sleep(0);
    expect([begun.length, back.length]).toEqual([1, 2]);
    expect(lane.room(1)).toBe(100);
    lane.close();
  });

  it('counts down to zero once all are sent', async () => {
    const { lane, add, begun } = laneOf({ connections: 100 });
    for (const tenantId of [1, 2, 3]) add(many(20, tenantId, `${tenantId}.test`));
    for (let i = 0; i < begun.length; i++) {
      begun[i]?.end();
      await sleep(0);
    }
    expect(begun).toHaveLength(60);
    expect([1, 2, 3].map((tenantId) => lane.room(tenantId))).toEqual([100, 100, 100]);
    expect(lane.isIdle).toBe(true);
    lane.close();
  });
});
