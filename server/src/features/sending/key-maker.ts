// Makes RSA keys one after the other in a thread of its own. A key takes some 0.2 s of a processor. Node's asynchronous function uses one of
// the few threads that files, DNS, compression and password hashes share: with four keys at once, everyone would wait for them.
import { Worker } from 'node:worker_threads';
import { notReady } from '../../http/error-handler.js';
import { Places } from '../../lib/places.js';

interface KeyPair {
  /** SPKI, in base64. */
  publicKey: string;
  /** PKCS #8, in PEM. */
  privateKey: string;
}

const program = `
const { generateKeyPairSync } = require('node:crypto');
const { parentPort } = require('node:worker_threads');
const { publicKey, privateKey } = generateKeyPairSync('rsa', {
  modulusLength: 2048,
  publicKeyEncoding: { type: 'spki', format: 'der' },
  privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
});
parentPort.postMessage({ publicKey: publicKey.toString('base64'), privateKey });
`;

const limits = {
  places: 1,
  mostEach: 1,
  // Milliseconds: enough for two hundred tenants at once. An idle connection is closed after 60 s.
  waitMs: 50_000,
  // Per tenant.
  mostWaiting: 10,
};

/** The tenant that was served longest ago comes next: a tenant that asks for many waits for the others, not they for it. */
export class KeyMaker {
  private readonly places = new Places({
    ...limits,
    refuse: () => notReady({ reason: 'too many keys for sending domains are being made; try again', retryAfter: 5 }),
  });

  async make(tenantId: number): Promise<KeyPair> {
    const giveBack = await this.places.take(tenantId);
    try {
      return await makeInThread();
    } finally {
      giveBack();
    }
  }
}

function makeInThread(): Promise<KeyPair> {
  return new Promise((resolve, reject) => {
    const thread = new Worker(program, { eval: true, resourceLimits: { maxOldGenerationSizeMb: 16 } });
    thread.once('message', resolve);
    thread.once('error', reject);
    thread.once('exit', (code) => reject(new Error(`the key maker thread ended (${code})`)));
  });
}

/** One per process: the threads that it spares belong to the process. */
export const keyMaker = new KeyMaker();
