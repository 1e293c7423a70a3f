// What must come back as it went, against a real provider.
import { beforeAll, expect, it } from 'vitest';
import { useProvider } from '../../../../test/identity-provider.js';
import { systemClock } from '../../../lib/clock.js';
import { randomToken } from '../../../lib/random.js';
import { ProviderClients, ProviderFault } from './client.js';

const redirectUri = 'http://rapport.test/oauth/sso/1/callback';
const elsewhere = useProvider([redirectUri]);
const clients = new ProviderClients(fetch, systemClock);
const address = () => ({ issuer: elsewhere.url, clientId: elsewhere.clientId, clientSecret: elsewhere.clientSecret });
beforeAll(() => {
  elsewhere.people.set('ada', { email: 'ada@acme.example', email_verified: true, name: 'Ada' });
});

const newExchange = () => ({ redirectUri, state: randomToken(''), nonce: randomToken(''), verifier: randomToken('') });
async function goAndReturn(change: Partial<ReturnType<typeof newExchange>> = {}) {
  const exchange = newExchange();
  const back = await elsewhere.signIn(await clients.startUrl(address(), exchange), 'ada');
  return clients.finish(address(), { ...exchange, ...change }, back.search.slice(1));
}

it('says who came back', async () => {
  expect(await goAndReturn()).toEqual({
    ...{ subject: 'ada', email: 'ada@acme.example', isEmailVerified: true, name: 'Ada' },
  });
});

it.each(['nonce', 'state', 'verifier'] as const)('takes no other %s than the one that went', async (name) => {
  await expect(goAndReturn({ [name]: randomToken('') })).rejects.toThrow(ProviderFault);
});

it('accepts no secret but the registered one', async () => {
  const exchange = newExchange();
  const back = await elsewhere.signIn(await clients.startUrl(address(), exchange), 'ada');
  const wrong = { ...address(), clientSecret: 'another' };
  await expect(clients.finish(wrong, exchange, back.search.slice(1))).rejects.toThrow(ProviderFault);
});
