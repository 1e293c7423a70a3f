// What starting a process does not show: settings that depend on each other.
import { describe, expect, it } from 'vitest';
import { ConfigError, readConfig } from './config.js';

const issuer = { OAUTH_ISSUER: 'https://id.example/realms/one', OAUTH_AUDIENCE: 'rapport' };
const complaint = (env: Record<string, string>) => {
  try {
    readConfig(env);
  } catch (error) {
    if (error instanceof ConfigError) return error.message;
    throw error;
  }
  return undefined;
};

describe('the database', () => {
  const several = 'postgres://u:p@one:5432,two:5433/rapport?target_session_attrs=read-write';

  it('may have several hosts, and a replica', () => {
    const config = readConfig({ DATABASE_URL: several, DATABASE_REPLICA_URL: 'postgres://u@three/rapport' });
    expect([config.databaseUrl, config.databaseDirectUrl, config.replicaLagMs]).toEqual([several, several, 2000]);
    expect(config.databaseReplicaUrl).toBe('postgres://u@three/rapport');
  });

  it.each([
    [{ DATABASE_URL: 'postgres://one:5432,two:x/rapport' }, 'DATABASE_URL is wrong'],
    [{ DATABASE_URL: 'mysql://one,two/rapport' }, 'DATABASE_URL is wrong'],
    [{ DATABASE_URL: `${several}x` }, 'target_session_attrs is read-write, primary or any'],
    [{ DATABASE_REPLICA_URL: several }, 'DATABASE_REPLICA_URL needs DATABASE_URL'],
    [{ DATABASE_URL: several, DATABASE_REPLICA_LAG_MS: '0' }, 'DATABASE_REPLICA_LAG_MS is wrong'],
  ])('%o is refused', (env, words) => {
    expect(complaint(env)).toContain(words);
  });
});

describe('another issuer', () => {
  it('is unset by default', () => {
    expect(readConfig({}).outside).toBe(undefined);
    expect(readConfig({ OAUTH_ISSUER: '', OAUTH_AUDIENCE: '', OAUTH_TENANT: '' }).outside).toBe(undefined);
  });

  it('names tenant and scopes by its claims by default', () => {
    expect(readConfig(issuer).outside).toEqual({
      ...{ issuer: issuer.OAUTH_ISSUER, audience: 'rapport', tenantId: undefined, tenantClaim: 'rapport_tenant' },
      ...{ scopeClaim: 'scope', accountClaim: undefined },
      scopes: [
        { theirs: 'READ', ours: 'READ' },
        { theirs: 'WRITE', ours: 'WRITE' },
      ],
    });
    const told = {
      OAUTH_TENANT: '7',
      OAUTH_SCOPE_MAP: 'https://a.example/?x=1=READ, all=WRITE',
      OAUTH_ACCOUNT_CLAIM: 'email',
    };
    expect(readConfig({ ...issuer, ...told }).outside).toMatchObject({
      ...{ tenantId: 7, accountClaim: 'email' },
      scopes: [
        { theirs: 'https://a.example/?x=1', ours: 'READ' },
        { theirs: 'all', ours: 'WRITE' },
      ],
    });
  });

  it('may use plain http on this machine', () => {
    for (const host of ['localhost', '127.0.0.1:9000', '[::1]'])
      expect(readConfig({ ...issuer, OAUTH_ISSUER: `http://${host}` }).outside?.issuer).toBe(`http://${host}`);
  });

  it.each([
    [{ OAUTH_ISSUER: 'http://id.example' }, 'OAUTH_ISSUER is wrong'],
    [{ OAUTH_ISSUER: 'http://127.0.0.1.id.example' }, 'OAUTH_ISSUER is wrong'],
    [{ OAUTH_ISSUER: 'id.example' }, 'OAUTH_ISSUER is wrong'],
    [{ OAUTH_ISSUER: 'https://id.example/?a=b' }, 'OAUTH_ISSUER is wrong'],
    [{ OAUTH_ISSUER: 'https://me:hush@id.example/' }, 'OAUTH_ISSUER is wrong'],
    [{ OAUTH_AUDIENCE: '' }, 'OAUTH_ISSUER needs OAUTH_AUDIENCE'],
    [{ OAUTH_ISSUER: '' }, 'OAUTH_AUDIENCE needs OAUTH_ISSUER'],
    [{ OAUTH_ISSUER: '', OAUTH_AUDIENCE: '', OAUTH_TENANT: '7' }, 'OAUTH_TENANT needs OAUTH_ISSUER'],
    [{ OAUTH_TENANT: '0' }, 'OAUTH_TENANT is wrong'],
    [{ OAUTH_TENANT: 'acme' }, 'OAUTH_TENANT is wrong'],
    [{ OAUTH_TENANT: '7', OAUTH_TENANT_CLAIM: 'org' }, 'OAUTH_TENANT and OAUTH_TENANT_CLAIM are both set'],
    [{ OAUTH_SCOPE_MAP: 'READ' }, 'OAUTH_SCOPE_MAP is wrong'],
    [{ OAUTH_SCOPE_MAP: 'all=INGEST' }, 'OAUTH_SCOPE_MAP is wrong'],
    [{ OAUTH_SCOPE_MAP: 'a b=READ' }, 'OAUTH_SCOPE_MAP is wrong'],
  ])('with %j stops the start', (change, sentence) => {
    const said = complaint({ ...issuer, ...(change as Record<string, string>) });
    expect(said).toContain(sentence);
    expect(said).not.toContain('hush');
  });
});

describe('TRUSTED_PROXIES', () => {
  it('are addresses and networks', () => {
    const TRUSTED_PROXIES = '127.0.0.1, 10.0.0.0/8,2001:db8::/32,::1';
    expect(readConfig({ TRUSTED_PROXIES }).trustedProxies).toEqual(['127.0.0.1', '10.0.0.0/8', '2001:db8::/32', '::1']);
    expect(readConfig({}).trustedProxies).toEqual([]);
  });

  it.each(['proxy.example', '10.0.0.0/33', '10.0.0.0/0', '10.0.0.0/', '10.0.0.0/8/8', '2001:db8::/129', 'true'])(
    '%j stops the start',
    (TRUSTED_PROXIES) => expect(complaint({ TRUSTED_PROXIES })).toContain('TRUSTED_PROXIES is wrong'),
  );
});

describe('where people reach the service', () => {
  it.each([
    'https://x.example/rapport',
    'https://x.example/?a',
    'https://x.example/#a',
    'https://me@x.example',
    'x.example',
  ])('is no %s', (BASE_URL) => {
    expect(complaint({ BASE_URL })).toContain('BASE_URL');
  });

  it('is an origin, with or without a slash at its end', () => {
    expect(
      [
        'https://x.example:8443',
        'https://x.example/',
        'https://x.example?',
        'HTTPS://X.example',
        'https://x.example/.',
      ].map((BASE_URL) => readConfig({ BASE_URL }).baseUrl),
    ).toEqual(['https://x.example:8443', ...Array(4).fill('https://x.example')]);
    expect(complaint({ BASE_URL: 'https://x.example/rapport' })).toContain('without a path');
  });
});
