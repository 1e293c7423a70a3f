import type { Transaction } from '../../db/database.js';
import { allOf, type Change, mergeProperties, type Properties } from '../contacts/index.js';
import { type OrganizationNews, organizationsChanged } from './news.js';
import { insertOrganizations, lockOrganizations, selectUnknown, updateOrganizations } from './queries.js';

interface Draft {
  orgId: string;
  name: string;
  properties: Properties;
  isNew: boolean;
  isChanged: boolean;
  nameChanged: boolean;
  changes: Change[];
}

/** The organizations that another feature's writes name: locked together, created and changed in memory, stored together. */
export class OrganizationBook {
  private readonly drafts = new Map<string, Draft>();
  private constructor(private readonly known: ReadonlySet<string>) {}

  /** `written` may be created and changed; `named` are only checked for existence. */
  static async open(
    tx: Transaction,
    tenantId: number,
    written: readonly string[],
    named: readonly string[],
  ): Promise<OrganizationBook> {
    const unknown = new Set(named.length === 0 ? [] : await selectUnknown(tx, tenantId, named));
    const book = new OrganizationBook(new Set(named.filter((orgId) => !unknown.has(orgId))));
    const stored = written.length === 0 ? [] : await lockOrganizations(tx, tenantId, [...new Set(written)]);
    for (const { orgId, name, properties } of stored) {
      const unchanged = { isNew: false, isChanged: false, nameChanged: false, changes: [] };
      book.drafts.set(orgId, { orgId, name, properties: properties as Properties, ...unchanged });
    }
    return book;
  }

  has(orgId: string): boolean {
    return this.known.has(orgId) || this.drafts.has(orgId);
  }

  /** Creates or changes an organization. If it cannot, it changes nothing and returns the reason. */
  upsert(orgId: string, name: string | null, wanted: Record<string, unknown>): string | undefined {
    const draft = this.drafts.get(orgId);
    const merged = mergeProperties(draft?.properties ?? {}, wanted, 'organization');
    if (!merged.ok) return merged.error;
    const { properties } = merged;
    if (!draft) {
      const made = { isNew: true, isChanged: true, nameChanged: true, changes: [] };
      this.drafts.set(orgId, { orgId, name: name ?? orgId, properties, ...made });
    } else if (merged.changes.length > 0 || (name !== null && name !== draft.name)) {
      const nameChanged = draft.nameChanged || (name !== null && name !== draft.name);
      Object.assign(draft, { name: name ?? draft.name, properties, isChanged: true, nameChanged });
      draft.changes.push(...merged.changes);
    }
    return undefined;
  }

  async store(tx: Transaction, tenantId: number, now: string): Promise<void> {
    const changed = [...this.drafts.values()].filter((draft) => draft.isChanged);
    const rows = (isNew: boolean) =>
      changed
        .filter((draft) => draft.isNew === isNew)
        .map((draft) => ({ ...draft, properties: JSON.stringify(draft.properties) }));
    const [added, updated] = [rows(true), rows(false)];
    // Organizations are also created without the tenant's lock. In that case this run starts over, and changes what it finds.
    if (added.length > 0 && (await insertOrganizations(tx, tenantId, added, now)) !== added.length) throw startOver;
    if (updated.length > 0) await updateOrganizations(tx, tenantId, updated, now);
    await organizationsChanged.tell(tx, tenantId, now, () => changed.map(newsOf));
  }
}

// The code of a serialization failure: nothing is wrong with the run, and a retry succeeds.
const startOver = Object.assign(new Error('An organization was created meanwhile: the run starts over'), {
  code: '40001',
});

function newsOf({ orgId, isNew, nameChanged, properties, changes }: Draft): OrganizationNews {
  return { orgId, what: isNew ? 'created' : 'changed', nameChanged, changes: isNew ? allOf(properties) : changes };
}
