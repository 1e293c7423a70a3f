import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { checkDkim, dkimRecord } from './dkim.js';
import { checkDmarc, findPolicy, walkOf } from './dmarc.js';
import { type Lookups, NoAnswer } from './lookups.js';
import { checkPointer, checkReturnPath } from './pointer.js';
import { checkSpf, readSpf } from './spf.js';
import { readTags } from './tags.js';

type Table = Record<string, string[]>;

/** DNS from tables; a name whose text is `?` does not answer. */
function dnsOf(tables: { txt?: Table; cname?: Table; mx?: Table; addresses?: Table }): Lookups & { asked: string[] } {
  const asked: string[] = [];
  const look = (table: Table = {}) => {
    return async (name: string) => {
      asked.push(name);
      const found = table[name] ?? [];
      if (found.includes('?')) throw new NoAnswer(name, 'ETIMEOUT');
      return found;
    };
  };
  return {
    asked,
    txt: look(tables.txt),
    cname: look(tables.cname),
    mx: look(tables.mx),
    addresses: look(tables.addresses),
    end: () => undefined,
  };
}

describe('tags', () => {
  it('are read in their order, whatever the spaces, and the first of a name counts', () => {
    expect([...(readTags(' v = DKIM1 ;k=rsa; p=a b== ; k=ed25519;') ?? [])]).toEqual([
      ['v', 'DKIM1'],
      ['k', 'rsa'],
      ['p', 'a b=='],
    ]);
  });

  it('are none in any other text, which never throws', () => {
    for (const text of ['', ';', 'v=spf1 -all; and more', 'hello', '=x', 'a=1;;b=2'])
      expect(readTags(text)).toBeUndefined();
    fc.assert(fc.property(fc.string({ unit: 'binary' }), (text) => void readTags(text)));
  });

  it('come back as they were written', () => {
    const tag = fc.tuple(fc.stringMatching(/^[a-z][a-z0-9_]{0,8}$/), fc.stringMatching(/^[!-:<-~]{0,20}$/));
    fc.assert(
      fc.property(fc.uniqueArray(tag, { minLength: 1, selector: ([name]) => name }), (tags) => {
        expect([...(readTags(tags.map((each) => each.join('=')).join('; ')) ?? [])]).toEqual(tags);
      }),
    );
  });
});

describe('DKIM', () => {
  const name = 's._domainkey.example.com';
  const key = 'MIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8AMIIBCgKCAQEAx';
  const check = (...txt: string[]) => checkDkim(dnsOf({ txt: { [name]: txt } }), name, key);

  it.each([
    ['as we write it', dkimRecord(key)],
    ['with spaces in the key', `v=DKIM1; p=${key.slice(0, 10)} ${key.slice(10)}`],
    ['without its version', `k=rsa; p=${key}`],
    ['for all hashes and services', `v=DKIM1; h=sha1:sha256; s=*; p=${key}`],
  ])('is found %s', async (_, text) => {
    expect(await check(text)).toEqual({ state: 'found', detail: 'The key is correct.' });
  });

  it.each([
    [[`v=DKIM1; p=${key}`, `v=DKIM1; p=${key}`], '2 TXT records'],
    [['v=DKIM1; p='], 'revokes'],
    [['v=DKIM1; k=rsa'], 'has no key'],
    [[`v=DKIM1; k=ed25519; p=${key}`], 'not an RSA key'],
    [[`v=DKIM1; h=sha1; p=${key}`], 'SHA-256'],
    [[`v=DKIM1; s=tlsrpt; p=${key}`], 'not for mail'],
    [[`v=DKIM2; p=${key}`], 'v=DKIM1'],
    [[`p=${key}; v=DKIM1`], 'v=DKIM1'],
    [[`v=DKIM1; p=${key.slice(0, 20)}`], 'cut off'],
    [['v=DKIM1; p=c29tZXRoaW5nIGVsc2U='], 'different key'],
    [['hello'], 'not a DKIM key'],
  ])('is wrong for %j', async (txt, told) => {
    expect(await check(...txt)).toEqual({ state: 'wrong', detail: expect.stringContaining(told) });
  });

  it('is missing if there is nothing, and says when it is only in test mode', async () => {
    expect((await check()).state).toBe('missing');
    expect(await check(`v=DKIM1; t=s:y; p=${key}`)).toEqual({ state: 'found', detail: expect.stringContaining('t=y') });
  });
});

describe('SPF', () => {
  const wanted = 'include:mail.rapport.example';
  const ours = { 'mail.rapport.example': ['v=spf1 ip4:192.0.2.1 -all'] };
  const check = (txt: string[], more: Table = ours) =>
    checkSpf(dnsOf({ txt: { ...more, 'example.com': ['google-site-verification=x', ...txt] } }), 'example.com', wanted);

  it.each([
    'v=spf1 include:mail.rapport.example ~all',
    'V=SPF1 a mx +Include:MAIL.rapport.example. ip4:10.0.0.0/8 ip6:2001:db8::/32 exists:%{i}.x.example -all',
    'v=spf1 include:mail.rapport.example redirect=other.example exp=why.example',
    'v=spf1   a:x.example/24//64  mx/28 ptr include:mail.rapport.example ?all',
  ])('is found in %s', async (text) => {
    expect(await check([text])).toEqual({ state: 'found', detail: 'Our email is allowed.' });
  });

  it('is found through an include or a redirect', async () => {
    const through = { ...ours, 'spf.example.com': [`v=spf1 ${wanted} -all`] };
    expect((await check(['v=spf1 include:spf.example.com -all'], through)).state).toBe('found');
    expect((await check(['v=spf1 redirect=spf.example.com'], through)).state).toBe('found');
    // Receivers do not follow a redirect if there is an "all".
    expect((await check(['v=spf1 redirect=spf.example.com -all'], through)).state).toBe('wrong');
  });

  it.each([
    [['v=spf1 -all'], 'Change it to: v=spf1 include:mail.rapport.example -all'],
    [['v=spf1'], 'Change it to: v=spf1 include:mail.rapport.example'],
    [['v=spf1 include:mail.rapport.example ~all', 'v=spf1 -all'], 'There are 2 SPF records'],
    [['v=spf1 include:mail.rapport.example a include:mail.rapport.example -all'], '2 times'],
    [['v=spf1 -all include:mail.rapport.example'], 'after "-all"'],
    [['v=spf1 ?include:mail.rapport.example -all'], 'doesn’t allow our email'],
    [['v=spf1 include:mail.rapport.example, -all'], 'Change it to'],
    [['v=spf1 includes:mail.rapport.example -all'], '"includes:mail.rapport.example" is not valid'],
    [['v=spf1 ip4:300.1.1.1 include:mail.rapport.example'], '"ip4:300.1.1.1" is not valid'],
    [['v=spf1 ip4:10.0.0.0/33 include:mail.rapport.example'], 'is not valid'],
    [['v=spf1 redirect=a.example redirect=b.example'], '"redirect=b.example" is not valid'],
    [['v=spf1 include: -all'], '"include:" is not valid'],
  ])('is wrong in %j', async (txt, told) => {
    expect(await check(txt)).toEqual({ state: 'wrong', detail: expect.stringContaining(told) });
  });

  it('is missing if no record begins with v=spf1 as a word', async () => {
    for (const text of ['v=spf10 -all', 'v=spf1;-all', 'spf1 -all'])
      expect((await check([text])).state).toBe('missing');
  });

  it('warns of too many lookups, of allowing everyone and of an include that leads nowhere', async () => {
    const deep: Table = { ...ours };
    for (let i = 0; i < 12; i++) deep[`s${i}.example`] = [`v=spf1 include:s${i + 1}.example`];
    const told = async (text: string, more: Table) => (await check([text], more)).detail;
    expect(await told(`v=spf1 ${wanted} include:s0.example -all`, deep)).toContain('more than 10 lookups');
    expect(await told(`v=spf1 ${wanted} a a a a a a a a a -all`, ours)).not.toContain('lookups');
    expect(await told(`v=spf1 ${wanted} a a a a a a a a a a -all`, ours)).toContain('more than 10 lookups');
    expect(await told(`v=spf1 ${wanted} +all`, ours)).toContain('lets anyone send');
    expect(await told(`v=spf1 ${wanted} -all`, {})).toContain('mail.rapport.example has no SPF record itself');
  });

  it('ends if includes form a cycle', async () => {
    const round = { ...ours, 'a.example': ['v=spf1 include:b.example'], 'b.example': ['v=spf1 include:a.example'] };
    expect((await check([`v=spf1 ${wanted} include:a.example -all`], round)).detail).toContain('more than 10 lookups');
  });

  it('is asked for by address if this installation has no name', async () => {
    const check4 = (text: string) =>
      checkSpf(dnsOf({ txt: { 'example.com': [text] } }), 'example.com', 'ip4:192.0.2.7');
    expect((await check4('v=spf1 ip4:192.0.2.7 ~all')).state).toBe('found');
    expect((await check4('v=spf1 ip4:192.0.2.8 ~all')).detail).toContain('v=spf1 ip4:192.0.2.7 ip4:192.0.2.8 ~all');
  });

  it('never fails to read a text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        const { terms, fault } = readSpf(`v=spf1 ${text}`);
        // Everything that was read is part of what was written.
        for (const term of terms) expect(text).toContain(term.text);
        if (fault !== undefined) expect(text).toContain(fault);
      }),
    );
  });
});

describe('DMARC', () => {
  const dmarc = (records: Table) =>
    dnsOf({ txt: Object.fromEntries(Object.entries(records).map(([at, txt]) => [`_dmarc.${at}`, txt])) });
  const check = (records: Table, domain = 'mail.example.com', hasDkim = true) =>
    checkDmarc(dmarc(records), domain, hasDkim);

  it('asks for the domain, then for seven labels and fewer, up to the last', () => {
    expect(walkOf('a.b.c.d.e.f.g.h.example.com')).toEqual([
      'a.b.c.d.e.f.g.h.example.com',
      'd.e.f.g.h.example.com',
      'e.f.g.h.example.com',
      'f.g.h.example.com',
      'g.h.example.com',
      'h.example.com',
      'example.com',
      'com',
    ]);
    expect(walkOf('a.b.c.example.com')).toEqual([
      'a.b.c.example.com',
      'b.c.example.com',
      'c.example.com',
      'example.com',
      'com',
    ]);
    expect(walkOf('localhost')).toEqual(['localhost']);
  });

  it('takes the policy of the domain itself, however strict the ones above', async () => {
    const policy = await findPolicy(
      dmarc({ 'mail.example.com': ['v=DMARC1; p=none; sp=reject'], 'example.com': ['v=DMARC1; p=reject'] }),
      'mail.example.com',
    );
    expect(policy).toMatchObject({ at: 'mail.example.com', action: 'none' });
  });

  it('takes that of the organization for subdomains, sp before p', async () => {
    const found = (text: string) => findPolicy(dmarc({ 'example.com': [text] }), 'a.mail.example.com');
    expect(await found('v=DMARC1; p=reject')).toMatchObject({ at: 'example.com', action: 'reject' });
    expect(await found('v=DMARC1; p=reject; sp=quarantine')).toMatchObject({ action: 'quarantine' });
    expect(await found('v=DMARC1;p=QUARANTINE')).toMatchObject({ action: 'quarantine' });
    expect(await found('v=DMARC1')).toMatchObject({ action: 'none' });
  });

  it('stops at a record that says it is no public suffix, and takes the domain below one that is', async () => {
    const nested = { 'shop.example.com': ['v=DMARC1; p=reject; psd=n'], 'example.com': ['v=DMARC1; p=none'] };
    expect(await findPolicy(dmarc(nested), 'a.shop.example.com')).toMatchObject({
      at: 'shop.example.com',
      action: 'reject',
    });
    // The organization is example.co.test, which has no record: then the suffix decides.
    const suffix = { 'co.test': ['v=DMARC1; p=none; sp=reject; psd=y'] };
    expect(await findPolicy(dmarc(suffix), 'a.example.co.test')).toMatchObject({ at: 'co.test', action: 'reject' });
    const both = { ...suffix, 'example.co.test': ['v=DMARC1; p=quarantine'] };
    expect(await findPolicy(dmarc(both), 'a.example.co.test')).toMatchObject({ at: 'example.co.test' });
  });

  it('takes the record with the fewest labels as the organization’s if none says more', async () => {
    const dns = dmarc({ 'c.example.com': ['v=DMARC1; p=none'], 'example.com': ['v=DMARC1; p=reject'] });
    expect(await findPolicy(dns, 'a.b.c.example.com')).toMatchObject({ at: 'example.com', action: 'reject' });
  });

  it('asks at most eight times', async () => {
    const dns = dmarc({});
    await findPolicy(dns, 'a.b.c.d.e.f.g.h.i.j.k.example.com');
    expect(dns.asked).toHaveLength(8);
  });

  it('says what is missing or wrong', async () => {
    expect(await check({})).toEqual({
      state: 'missing',
      detail: expect.stringContaining('Neither _dmarc.mail.example.com'),
    });
    const two = await check({ 'mail.example.com': ['v=DMARC1; p=none', 'v=DMARC1; p=reject'] });
    expect(two).toEqual({ state: 'wrong', detail: expect.stringContaining('ignore all of them') });
    expect(await check({ 'mail.example.com': ['v=DMARC1; p=maybe'] })).toMatchObject({ state: 'wrong' });
    expect(await check({ 'mail.example.com': ['p=none; v=DMARC1'] })).toEqual({
      state: 'wrong',
      detail: expect.stringContaining('must start with v=DMARC1'),
    });
    expect(await check({ 'mail.example.com': ['v=dmarc1; p=none'] })).toMatchObject({ state: 'wrong' });
  });

  it('says whose policy holds, and what it means for our mail', async () => {
    const own = { 'mail.example.com': ['v=DMARC1; p=reject; aspf=s; pct=50; t=y'] };
    const { state, detail } = await check(own, 'mail.example.com', false);
    expect(state).toBe('found');
    for (const words of ['The policy is reject.', 't=y', 'may be refused', 'aspf=s', 'no pct anymore'])
      expect(detail).toContain(words);
    expect((await check({ 'example.com': ['v=DMARC1; p=none'] })).detail).toBe(
      'The policy of example.com applies here too. It is none.',
    );
  });
});

describe('a name that must lead here', () => {
  const spf = 'include:mail.rapport.example';
  const target = 'mail.rapport.example';
  const check = (tables: Parameters<typeof dnsOf>[0]) =>
    checkReturnPath(dnsOf(tables), 'bounces.example.com', target, spf);
  const at = (...values: string[]) => ({ 'bounces.example.com': values });

  it('may be an alias, have the same address, or for mail an MX and SPF', async () => {
    expect((await check({ cname: at(target) })).state).toBe('found');
    expect((await check({ addresses: { ...at('192.0.2.1'), [target]: ['192.0.2.1', '192.0.2.2'] } })).state).toBe(
      'found',
    );
    expect((await check({ mx: at(target), txt: at(`v=spf1 ${spf} -all`) })).state).toBe('found');
    const chained = { cname: at('alias.example.com'), addresses: { ...at('192.0.2.1'), [target]: ['192.0.2.1'] } };
    expect((await check(chained)).state).toBe('found');
    const byAddress = await checkPointer(dnsOf({ addresses: at('192.0.2.7') }), 'bounces.example.com', '192.0.2.7');
    expect(byAddress.state).toBe('found');
  });

  it('is reported with where else it leads, or that it leads nowhere', async () => {
    expect(await check({ cname: at('elsewhere.example') })).toMatchObject({ state: 'wrong' });
    expect(await check({ mx: at('mx.elsewhere.example') })).toMatchObject({ state: 'wrong' });
    expect(await check({ addresses: at('192.0.2.9') })).toMatchObject({ state: 'wrong' });
    expect(await check({ mx: at(target) })).toEqual({
      state: 'wrong',
      detail: expect.stringContaining('it also needs an SPF record:'),
    });
    expect(await check({})).toMatchObject({ state: 'missing' });
  });
});
