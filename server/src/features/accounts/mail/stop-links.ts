// Links that end some mail, without signing in. They are sealed, so that no one can make one for somebody else.
import { parseJson } from '../../../lib/parse-json.js';
import type { SecretBox } from '../../../lib/secret-box.js';

interface Whose {
  tenantId: number;
  accountId: number;
}

export class StopLinks {
  constructor(
    private readonly box: SecretBox,
    /** Which mail: a link for one ends no other. */
    private readonly about: 'weekly-summary' | 'alerts',
  ) {}

  get path(): `/${string}` {
    return `/${this.about}/stop`;
  }

  pathFor(tenantId: number, accountId: number): string {
    const token = this.box.seal(JSON.stringify({ tenantId, accountId }), this.about).toString('base64url');
    return `${this.path}?token=${token}`;
  }

  /** Undefined if we did not make it. */
  whose(token: string | null | undefined): Whose | undefined {
    if (!token) return undefined;
    try {
      return parseJson(this.box.open(Buffer.from(token, 'base64url'), this.about).toString()) as Whose;
    } catch {
      return undefined;
    }
  }
}
