import { Redis } from 'ioredis';
import { type TakeBudget, windowMs } from './rate-limit.js';

// The same sliding window as in memory, as a list of the last accepted times, by Redis' own clock.
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
  takeBudget(key: string, perSecond: number, window: number): Promise<number>;
}

export interface SharedBudget {
  take: TakeBudget;
  close(): void;
}

/** Budgets shared by all nodes through Redis. While Redis is away each node falls back to its own, and says so. */
export function redisBudget(
  url: string,
  fallback: TakeBudget,
  log: { warn(obj: object, msg: string): void; info(obj: object, msg: string): void },
): SharedBudget {
  const redis = new Redis(url, {
    enableOfflineQueue: false,
    enableAutoPipelining: true,
    maxRetriesPerRequest: 0,
    commandTimeout: 250,
    retryStrategy: (times) => Math.min(times * 100, 2000),
    scripts: { takeBudget: { lua: script, numberOfKeys: 1 } },
  });
  let away = false;
  const isAway = (error: Error) => {
    if (!away) log.warn({ error: error.message }, 'Redis is away: each node limits on its own budget until it is back');
    away = true;
  };
  const isBack = () => {
    if (away) log.info({}, 'Redis is back: the rate limit is shared again');
    away = false;
  };
  redis.on('error', isAway);
  redis.on('ready', isBack);
  const shared = redis as unknown as WithScript;
  return {
    take: async (tenantId, perSecond) => {
      if (redis.status !== 'ready') return fallback(tenantId, perSecond);
      try {
        const wait = await shared.takeBudget(`rapport:budget:${tenantId}:${perSecond}`, perSecond, windowMs);
        isBack();
        return wait > 0 ? Math.max(1, Math.ceil(wait / 1000)) : 0;
      } catch (error) {
        isAway(error as Error);
        return fallback(tenantId, perSecond);
      }
    },
    close: () => redis.disconnect(),
  };
}
