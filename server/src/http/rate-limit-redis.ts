import { Redis } from 'ioredis';
import { type TakeBudget, windowMs } from './rate-limit.js';

// The same sliding window as in memory, as a list of the last accepted times, by Redis's own clock.
const script = `
local limit = tonumber(ARGV[1])
local window = tonumber(ARGV[2])
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local size = redis.call('LLEN', KEYS[1])
if size >= limit then
  local wait = tonumber(redis.call('LINDEX', KEYS[1], limit - 1)) + window - now
  if wait > 0 then return wait end
end
redis.call('LPUSH', KEYS[1], now)
redis.call('LTRIM', KEYS[1], 0, limit - 1)
redis.call('PEXPIRE', KEYS[1], window + 1000)
return 0
`;

interface WithScript {
  takeBudget(key: string, limit: number, window: number): Promise<number>;
}

export interface SharedBudget {
  take: TakeBudget;
  close(): void;
}

// Milliseconds. A reply takes less than one; after the first that takes this long, no request waits for another.
const patience = 250;
const probeEvery = 1000;

/**
 * Budgets shared by all nodes through Redis. While Redis is unavailable, each node falls back to its own memory at once
 * and logs it; an occasional probe checks whether Redis is back.
 */
export function redisBudget(
  url: string,
  fallback: TakeBudget,
  log: { warn(obj: object, msg: string): void; info(obj: object, msg: string): void },
): SharedBudget {
  const redis = new Redis(url, {
    enableOfflineQueue: false,
    enableAutoPipelining: true,
    maxRetriesPerRequest: 0,
    commandTimeout: patience,
    retryStrategy: (times) => Math.min(times * 100, 2000),
    scripts: { takeBudget: { lua: script, numberOfKeys: 1 } },
  });
  const shared = redis as unknown as WithScript;
  const waiting = new Set<() => void>();
  let away = false;
  let probing: NodeJS.Timeout | undefined;

  function isAway(error: Error): void {
    if (away) return;
    away = true;
    log.warn({ error: error.message }, 'Redis is unavailable: each node uses its own budget until it is back');
    for (const giveUp of waiting) giveUp();
    probeLater();
  }
  function isBack(): void {
    if (!away) return;
    away = false;
    clearTimeout(probing);
    log.info({}, 'Redis is back: the rate limit is shared again');
  }
  function probeLater(): void {
    clearTimeout(probing);
    probing = setTimeout(() => {
      // A lost connection reports by itself when it is back.
      if (redis.status !== 'ready') probeLater();
      else redis.ping().then(isBack, probeLater);
    }, probeEvery).unref();
  }

  redis.on('error', isAway);
  redis.on('ready', isBack);
  return {
    take: (budget, limit, window = windowMs) => {
      if (away || redis.status !== 'ready') return fallback(budget, limit, window);
      return new Promise((resolve) => {
        const settle = (wait: number | Promise<number>) => {
          waiting.delete(giveUp);
          resolve(wait);
        };
        const giveUp = () => settle(fallback(budget, limit, window));
        waiting.add(giveUp);
        shared.takeBudget(`rapport:budget:${budget}:${limit}`, limit, window).then(
          (wait) => settle(wait > 0 ? Math.max(1, Math.ceil(wait / 1000)) : 0),
          (error: Error) => {
            isAway(error);
            // Another request may have opened it and given up already.
            if (waiting.has(giveUp)) giveUp();
          },
        );
      });
    },
    close: () => {
      clearTimeout(probing);
      redis.disconnect();
    },
  };
}
