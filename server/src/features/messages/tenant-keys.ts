// The key that signs a tenant's links and return paths. It is needed for every mail and every click, so it is cached.
import type { Runner } from '../../db/database.js';
import type { SecretBox } from '../../lib/secret-box.js';
import { knownSecret, tenantSecret } from '../sending/index.js';

const purpose = 'tracking';
// 32 bytes each.
const mostKept = 10_000;

export class TenantKeys {
  private readonly known = new Map<number, Buffer>();

  constructor(
    private readonly db: Runner,
    private readonly box: SecretBox,
  ) {}

  /** For making links. */
  async keyOf(tenantId: number): Promise<Buffer> {
    return this.known.get(tenantId) ?? this.keep(tenantId, await tenantSecret(this.db, this.box, tenantId, purpose));
  }

  /** For checking links. Does not create a key for a tenant that never made a link: anyone can send requests. */
  async findKey(tenantId: number): Promise<Buffer | undefined> {
    const known = this.known.get(tenantId) ?? (await knownSecret(this.db, this.box, tenantId, purpose));
    return known && this.keep(tenantId, known);
  }

  private keep(tenantId: number, key: Buffer): Buffer {
    if (this.known.size >= mostKept) this.known.clear();
    this.known.set(tenantId, key);
    return key;
  }
}
