// How the first person gets to sign in: an operator makes a workspace and invites its admin. While a service has no people, the banner,
// the sign-in page and the console say how.
import type { Runner } from '../../db/database.js';
import { selectTenantsAfter } from '../tenants/index.js';
import { hasPeople } from './people/queries.js';

export class FirstAdmin {
  private isThere = false;

  constructor(
    private readonly db: Runner,
    private readonly baseUrl: () => string,
  ) {}

  /** Lines for a shell; undefined once a person can sign in. `token`: where the shell finds the admin token. */
  async lines(token = '$ADMIN_TOKEN'): Promise<string[] | undefined> {
    this.isThere ||= await hasPeople(this.db);
    if (this.isThere) return undefined;
    const [tenant] = await selectTenantsAfter(this.db, 0, 1);
    const post = (body: object, path: string) =>
      `curl -H "$ADMIN" -H "Content-Type: application/json" -d '${JSON.stringify(body)}' ${this.baseUrl()}/admin/tenants${path}`;
    return [
      `ADMIN="Authorization: Bearer ${token}"`,
      ...(tenant ? [] : [post({ name: 'My company' }, '')]),
      post({ email: 'you@example.com', role: 'admin' }, `/${tenant?.tenantId ?? 1}/invitations`),
    ];
  }
}
