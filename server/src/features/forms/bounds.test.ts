import { describe, expect, it } from 'vitest';
import { useApp } from '../../../test/app.js';
import { formCounts, makeForm, postJson, postPage, titleOf, urlencoded } from '../../../test/forms.js';
import { networkOf } from './submissions/bounds.js';

let elapsed = 0;
const t = useApp({ clock: { now: () => new Date(), elapsed: () => elapsed }, trustedProxies: ['127.0.0.1'] });
const from = (address: string) => ({ 'x-forwarded-for': address });
let networks = 0;
const somewhere = () => from(`10.0.${Math.floor(++networks / 250)}.${networks % 250}`);

describe('how often forms may be sent', () => {
  it('is 30 times a minute by a network, with a proof or without', async () => {
    const tenant = await t.tenant();
    const { path, formId } = await makeForm(tenant);
    const here = from('192.0.2.7');
    for (let i = 0; i < 30; i++)
      expect((await t.anonymous.post(path, 'email=x', { ...urlencoded, ...here })).status).toBe(400);
    const page = await t.anonymous.post(path, 'email=x', { ...urlencoded, ...here });
    expect([page.status, page.headers['retry-after'], titleOf(page.text)]).toEqual([429, '60', 'Too many requests']);
    const json = await t.anonymous.post(path, {}, here);
    expect([json.status, json.headers['retry-after']]).toEqual([429, '60']);
    expect(json.body).toMatchObject({
      ...{ data: null, meta: { status: 'FAILURE' } },
      errors: [{ errorCode: 'TOO_MANY_REQUESTS', message: 'Too many requests. Try again in 60 seconds.' }],
    });
    expect((await t.anonymous.post(path, 'email=x', { ...urlencoded, ...from('192.0.2.8') })).status).toBe(400);
    // Many robots of one network.
    const many = await Promise.all(
      Array.from({ length: 200 }, () => t.anonymous.post(path, 'email=x', { ...urlencoded, ...here })),
    );
    expect(many.every(({ status }) => status === 429)).toBe(true);
    expect(await formCounts(tenant, formId)).toEqual([0, 0, 0, 0]);
    elapsed += 61_000;
    expect((await t.anonymous.post(path, 'email=x', { ...urlencoded, ...here })).status).toBe(400);
  });

  it('is 600 times a minute by a form, from however many networks', async () => {
    const tenant = await t.tenant();
    const [one, other] = [await makeForm(tenant), await makeForm(tenant)];
    const replies = await Promise.all(
      Array.from({ length: 700 }, () => t.anonymous.post(one.path, 'email=x', { ...urlencoded, ...somewhere() })),
    );
    expect(replies.filter(({ status }) => status === 400)).toHaveLength(600);
    expect(replies.filter(({ status }) => status === 429)).toHaveLength(100);
    expect((await t.anonymous.post(other.path, 'email=x', { ...urlencoded, ...somewhere() })).status).toBe(400);
  });

  it('is 5 times an hour by an address, whatever the form and the network', async () => {
    const tenant = await t.tenant();
    const forms = [await makeForm(tenant), await makeForm(tenant)];
    for (let i = 0; i < 5; i++) {
      const { path } = forms[i % 2] as (typeof forms)[number];
      expect((await postJson(t, path, { email: ' One@Example.com' }, somewhere())).status).toBe(200);
    }
    const { path } = forms[0] as (typeof forms)[number];
    const sixth = await postPage(t, path, { email: 'one@example.com' }, somewhere());
    expect([sixth.status, sixth.headers['retry-after']]).toEqual([429, '3600']);
    expect((await postJson(t, path, { email: 'two@example.com' }, somewhere())).status).toBe(200);
    elapsed += 3_601_000;
    expect((await postJson(t, path, { email: 'one@example.com' }, somewhere())).status).toBe(200);
  });
});

it.each([
  ['192.0.2.7', '192.0.2.7'],
  ['::ffff:192.0.2.7', '192.0.2.7'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
  ['2001:db8::1', '2001:db8:0:0::/64'],
  ['2001:0DB8:0001::', '2001:db8:1:0::/64'],
  ['::1', '0:0:0:0::/64'],
  ['fe80::1%eth0', 'fe80:0:0:0::/64'],
])('takes %s for a part of the network %s', (address, network) => {
  expect(networkOf(address)).toBe(network);
});
