// The index of what a filter reads: which contacts are checked again when something changes.
import { type Condition, type Filter, isGroup, type ValueTest } from './tree.js';

interface ListReference {
  readonly listId: string;
  readonly path: string;
}

export interface Reads {
  /**
   * What it reads of a contact itself: `property:<key>`, `contact:updatedAt`, `user:<key>`, `org:<key>`, `orgField:name`, `orgs` (in which
   * organizations its users are), `event:<name>`, `static:<listId>`, `dynamic:<listId>`, and what registered subjects say (`topic:<topicId>`).
   */
  readonly own: ReadonlySet<string>;
  /** What it reads of the other members of the contact's organizations. */
  readonly ofOrgMembers: ReadonlySet<string>;
  /** Its truth can change by the clock alone. */
  readonly isTimed: boolean;
  readonly context: 'person' | 'person_org';
  readonly staticLists: readonly ListReference[];
  readonly dynamicLists: readonly ListReference[];
}

export function readsOf(filter: Filter): Reads {
  const index = new Index();
  index.add(filter);
  return index;
}

class Index implements Reads {
  readonly own = new Set<string>();
  readonly ofOrgMembers = new Set<string>();
  isTimed = false;
  context: 'person' | 'person_org' = 'person';
  readonly staticLists: ListReference[] = [];
  readonly dynamicLists: ListReference[] = [];

  add(filter: Filter): void {
    if (isGroup(filter)) for (const part of filter.of) this.add(part);
    else this.#addCondition(filter);
  }

  #addCondition(condition: Condition): void {
    switch (condition.kind) {
      case 'property':
        this.#addTest(`property:${condition.key}`, condition.test);
        break;
      case 'contact':
        // A contact keeps its email and the time of its creation.
        this.#addTest(condition.field === 'updatedAt' ? 'contact:updatedAt' : undefined, condition.test);
        break;
      case 'userProperty':
        this.#addTest(`user:${condition.key}`, condition.test);
        break;
      case 'orgProperty':
        this.#addOrganizations();
        this.#addTest(`org:${condition.key}`, condition.test);
        break;
      case 'organization':
        this.#addOrganizations();
        // The id of an organization stays.
        this.#addTest(condition.field === 'name' ? 'orgField:name' : undefined, condition.test);
        break;
      case 'orgMembers':
        this.#addMembers(condition.where);
        break;
      case 'event':
        this.#addEvents([condition.name]);
        break;
      case 'sequence':
        this.#addEvents(condition.steps.map((step) => step.name));
        break;
      case 'staticList':
        this.own.add(`static:${condition.listId}`);
        this.staticLists.push({ listId: condition.listId, path: condition.path });
        break;
      case 'dynamicList':
        this.own.add(`dynamic:${condition.listId}`);
        this.dynamicLists.push({ listId: condition.listId, path: condition.path });
        break;
      case 'bucket':
        break;
      case 'registered':
        this.isTimed ||= !condition.subject.isPlain && !condition.subject.isTimeless;
        for (const read of condition.subject.reads(condition.spec)) this.own.add(read);
        break;
    }
  }

  #addTest(read: string | undefined, test: ValueTest): void {
    if (read !== undefined) this.own.add(read);
    this.isTimed ||= 'duration' in test;
  }

  #addOrganizations(): void {
    this.own.add('orgs');
    this.context = 'person_org';
  }

  /** The contact is one of the members: what `where` reads of them, it reads of the contact too. */
  #addMembers(where: Filter): void {
    this.#addOrganizations();
    const index = new Index();
    index.add(where);
    for (const read of index.own) {
      this.own.add(read);
      this.ofOrgMembers.add(read);
    }
    // A member who joins or leaves an organization changes the number for the others in it.
    this.ofOrgMembers.add('orgs');
    this.isTimed ||= index.isTimed;
    this.staticLists.push(...index.staticLists);
    this.dynamicLists.push(...index.dynamicLists);
  }

  /** Those later than now do not count yet: the clock alone can change it. */
  #addEvents(names: readonly string[]): void {
    this.isTimed = true;
    for (const name of names) this.own.add(`event:${name}`);
  }
}
