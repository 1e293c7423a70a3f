// The key of a tenant that its links and return paths are signed with: made at first use, encrypted at rest.
import type { Runner } from '../../db/database.js';
import { randomBytes } from '../../lib/random.js';
import type { SecretBox } from '../../lib/secret-box.js';
import { findTenantSecret, keepTenantSecret } from './queries.js';

// 64 bytes each.
const mostKept = 10_000;

export class TenantKeys {
  private readonly known = new Map<number, Buffer>();

  constructor(
    private readonly db: Runner,
    private readonly box: SecretBox,
  ) {}

  /** For whoever makes links. */
  async keyOf(tenantId: number): Promise<Buffer> {
    const known = this.known.get(tenantId);
    if (known) return known;
    const made = this.box.seal(randomBytes(32), aboutOf(tenantId));
    return this.keep(tenantId, await keepTenantSecret(this.db, tenantId, purpose, made));
  }

  /** For whoever checks them: nothing of a tenant that never made one. Anybody may ask, so nothing is written. */
  async findKey(tenantId: number): Promise<Buffer | undefined> {
    const known = this.known.get(tenantId);
    if (known) return known;
    const sealed = await findTenantSecret(this.db, tenantId, purpose);
    return sealed && this.keep(tenantId, sealed);
  }

  private keep(tenantId: number, sealed: Buffer): Buffer {
    const key = this.box.open(sealed, aboutOf(tenantId));
    if (this.known.size >= mostKept) this.known.clear();
    this.known.set(tenantId, key);
    return key;
  }
}

const purpose = 'tracking';

function aboutOf(tenantId: number): string {
  return `${purpose}:${tenantId}`;
}
