import { expect, it } from 'vitest';
import { addressesIn, Hosts } from './database-hosts.js';

it.each([
  ['postgres://u:p@one/rapport', ['postgres://u:p@one/rapport']],
  [
    'postgres://u:p@one:1,two:2,[::1]:3/r?sslmode=require',
    ['one:1', 'two:2', '[::1]:3'].map((host) => `postgres://u:p@${host}/r?sslmode=require`),
  ],
  ['postgres://u:a,b@one,two', ['postgres://u:a,b@one', 'postgres://u:a,b@two']],
  ['postgres://u@/rapport?host=/run/postgresql,/tmp', ['postgres://u@/rapport?host=/run/postgresql,/tmp']],
])('%s has an address for each host', (url, addresses) => {
  expect(addressesIn(url)).toEqual(addresses);
});

it('moves on from a failed host, once for all who leave it, and comes back to the first', () => {
  const hosts = new Hosts('postgres://one,two/r');
  const first = hosts.current;
  hosts.leave(first);
  hosts.leave(first);
  expect([first, hosts.current]).toEqual(['postgres://one/r', 'postgres://two/r']);
  hosts.leave(hosts.current);
  expect(hosts.current).toBe(first);
});

it.each([
  ['postgres://one/r', false],
  ['postgres://one,two/r', true],
  ['postgres://one,two/r?target_session_attrs=any', false],
  ['postgres://one/r?target_session_attrs=read-write', true],
  ['postgres://one/r?sslmode=require&target_session_attrs=primary', true],
])('%s asks for a host that takes writes: %s', (url, onlyWritable) => {
  expect(new Hosts(url).onlyWritable).toBe(onlyWritable);
  expect(new Hosts(url, true).onlyWritable).toBe(false);
});
