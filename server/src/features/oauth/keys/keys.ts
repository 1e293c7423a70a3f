// The keys of the authorization server, which sign identity tokens and cookies. Made by the service, sealed, and renewed automatically.
import { generateKeyPair, type JsonWebKey } from 'node:crypto';
import { promisify } from 'node:util';
import type { Database, Runner } from '../../../db/database.js';
import { parseJson } from '../../../lib/parse-json.js';
import { randomBytes } from '../../../lib/random.js';
import { type SecretBox, SecretBoxError } from '../../../lib/secret-box.js';
import { type Aged, inOrder, planKeys } from './plan.js';
import { deleteKeys, holdKeys, insertKey, type KeyRow, type Purpose, selectKeys } from './queries.js';

const make = promisify(generateKeyPair);

// RS256 is the default of OpenID Connect; ES256 is for apps that ask for it.
const families = ['RS256', 'ES256', 'cookie'] as const;
type Family = (typeof families)[number];

export interface Keys {
  /** Changes when another key signs, or is published. */
  readonly version: string;
  readonly jwks: { keys: JsonWebKey[] };
  readonly cookies: string[];
}

interface OpenKey extends Aged {
  purpose: Purpose;
  text: string;
}

/** All keys; makes the first ones. */
export async function loadKeys(db: Database, box: SecretBox): Promise<Keys> {
  let keys = openAll(await selectKeys(db), box);
  if (planKeys(keys, families).makes.length > 0) {
    await renewKeys(db, box);
    keys = openAll(await selectKeys(db), box);
  }
  const ordered = inOrder(keys);
  const of = (purpose: Purpose) => ordered.filter((key) => key.purpose === purpose);
  return {
    version: ordered.map(({ keyId }) => keyId).join(' '),
    jwks: { keys: of('sign').map(({ keyId, text }) => ({ ...(parseJson(text) as JsonWebKey), kid: keyId })) },
    cookies: of('cookie').map(({ text }) => text),
  };
}

/** Makes new keys when they are due, and drops expired ones. */
export async function renewKeys(db: Pick<Database, 'transaction'> & Runner, box: SecretBox): Promise<void> {
  await db.transaction(async (tx) => {
    await holdKeys(tx);
    const { makes, drops } = planKeys(openAll(await selectKeys(tx), box), families);
    for (const family of makes) {
      const keyId = `${family}.${randomBytes(9).toString('base64url')}`;
      const sealed = box.seal(await makeKey(family as Family), about(keyId)).toString('hex');
      await insertKey(tx, keyId, family === 'cookie' ? 'cookie' : 'sign', sealed);
    }
    if (drops.length > 0) await deleteKeys(tx, drops);
  });
}

async function makeKey(family: Family): Promise<string> {
  if (family === 'cookie') return randomBytes(32).toString('base64url');
  const pair =
    family === 'RS256' ? await make('rsa', { modulusLength: 2048 }) : await make('ec', { namedCurve: 'prime256v1' });
  return JSON.stringify({ ...pair.privateKey.export({ format: 'jwk' }), alg: family, use: 'sig' });
}

/** Those that can be opened. Those sealed under a missing key are as good as gone: new ones are made. */
function openAll(rows: readonly KeyRow[], box: SecretBox): OpenKey[] {
  return rows.flatMap(({ keyId, purpose, sealed, age }) => {
    try {
      const text = box.open(Buffer.from(sealed, 'hex'), about(keyId)).toString();
      return [{ keyId, purpose, text, age, family: keyId.split('.', 1)[0] as string }];
    } catch (error) {
      if (error instanceof SecretBoxError) return [];
      throw error;
    }
  });
}

// As in the drawer in queries.ts, which moves them to a new key.
const about = (keyId: string) => `oauth-key:0:${keyId}`;
