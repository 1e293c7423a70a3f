import { expect, it } from 'vitest';
import { isPublicAddress } from './address.js';
import { explainFailure, withoutAddresses } from './explain.js';
import { addressesOf } from './resolve.js';

it('says that a name leads to an internal address, but not to which', async () => {
  const resolve = async () => [{ address: '10.1.2.3', family: 4 } as const];
  const asked = addressesOf({ host: 'hooks.example.com', family: 0 }, resolve, isPublicAddress);
  await expect(asked).rejects.toThrow(
    /^must not lead to hooks\.example\.com: its address is not on the public internet/,
  );
  await expect(asked).rejects.not.toThrow('10.1.2.3');
});

it.each([
  ['connect ECONNREFUSED 10.1.2.3:8443', 'connect ECONNREFUSED …'],
  ['connect EHOSTUNREACH fd00::1:8443 - Local (fd00::2:51234)', 'connect EHOSTUNREACH … - Local (…)'],
  ['getaddrinfo ENOTFOUND [::1]:80', 'getaddrinfo ENOTFOUND …'],
  ['::ffff:10.0.0.1 said no', '… said no'],
  ['it took 10:30 minutes, HTTP/1.1 502', 'it took 10:30 minutes, HTTP/1.1 502'],
])('leaves addresses out of %j', (text, shown) => {
  expect(withoutAddresses(text)).toBe(shown);
  expect(explainFailure(new Error(text))).toBe(shown);
});
