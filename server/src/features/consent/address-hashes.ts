// What is kept of an address that was erased is a hash: enough to know the address when it comes again.
import { createHash } from 'node:crypto';
import type { Runner } from '../../db/database.js';
import { randomBytes } from '../../lib/random.js';
import { keepSalt } from './states/queries.js';

/** Hashes addresses with their tenant's salt. Salts never change, so they are asked for once. */
export class AddressHashes {
  private readonly salts = new Map<number, Buffer>();

  async of(db: Runner, tenantId: number): Promise<(address: string) => string> {
    const known = this.salts.get(tenantId);
    const salt = known ?? (await keepSalt(db, tenantId, randomBytes(16)));
    // A salt that a transaction made may be rolled back with it: remembered only where it was there before, or is there for good.
    if (!known && !('isTransaction' in db)) this.salts.set(tenantId, salt);
    return (address) => createHash('sha256').update(salt).update(address).digest('hex');
  }
}
