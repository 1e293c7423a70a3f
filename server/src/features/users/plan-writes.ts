// Decides what a run of writes does to product users. Pure: given what is stored, it answers what to store and each outcome.
import { withDashes } from '../../lib/ids.js';
import {
  type ContactBook,
  type ItemStatus,
  mergeProperties,
  OutcomeBuilder,
  type Properties,
  type StoredResults,
} from '../contacts/index.js';
import type { Membership } from '../organizations/index.js';
import type { Outcome } from '../transactions/index.js';

/** What one write asks for, read from its payload. */
export interface UserRequest {
  uuid: string;
  email: string;
  userId: string;
  orgIds: string[];
  properties: Record<string, unknown>;
}

export function readRequest({ uuid, payload }: { uuid: string; payload: string }): UserRequest {
  const { email, userId, orgIds, properties } = JSON.parse(payload);
  return { uuid, email, userId: userId ?? generatedUserId(uuid), orgIds, properties };
}

/** The write's own uuid: a replayed answer names the same user, and nothing of the person is stored with the key. */
export function generatedUserId(uuid: string): string {
  return withDashes(uuid);
}

/** One item for each organization, or one for the user alone. */
export function linksOf(orgIds: readonly string[]): (string | null)[] {
  return orgIds.length === 0 ? [null] : [...orgIds];
}

/** What is stored in write_transaction.results. The user's id is in user_write. */
export interface UserResults {
  contact: StoredResults;
  users: { orgId: string | null; status: ItemStatus }[];
}

export interface StoredUser {
  userId: string;
  contactId: string;
  properties: Properties;
}

/** A user as it will be, with the JSON to store. */
export interface Draft extends StoredUser {
  orgIds: Set<string>;
  isNew: boolean;
  isChanged: boolean;
  json: string;
}

/** Whose data the results of a write hold. */
export interface UserWrite {
  uuid: string;
  userId: string;
  contactId: string | null;
}

export class UserPlanner {
  private readonly users = new Map<string, Draft>();
  readonly joined: Membership[] = [];
  readonly writes: UserWrite[] = [];

  constructor(
    stored: readonly StoredUser[],
    memberships: readonly Membership[],
    private readonly contacts: Pick<ContactBook, 'find' | 'ensure'>,
  ) {
    for (const user of stored) this.add(user, false);
    for (const { userId, orgId } of memberships) this.users.get(userId)?.orgIds.add(orgId);
  }

  private add(user: StoredUser, isNew: boolean): Draft {
    const draft = { ...user, orgIds: new Set<string>(), isNew, isChanged: false, json: '{}' };
    this.users.set(user.userId, draft);
    return draft;
  }

  plan(request: UserRequest): Outcome {
    const { uuid, email, userId } = request;
    const contactId = this.contacts.find(email);
    const user = this.users.get(userId);
    const owner = user?.contactId ?? contactId ?? null;
    if (user && owner !== contactId) return this.fail(request, owner, 'The userId belongs to another email.');
    const merged = mergeProperties(user?.properties ?? {}, request.properties, 'user');
    if (!merged.ok) return this.fail(request, owner, merged.error, merged.ignored);
    const contact = this.contacts.ensure(email);
    const draft = user ?? this.add({ userId, contactId: contact.id, properties: {} }, true);
    const isChanged = merged.changes.length > 0;
    if (isChanged) Object.assign(draft, { properties: merged.properties, json: merged.json, isChanged });
    const unlinked: ItemStatus = !user ? 'CREATED' : isChanged ? 'UPDATED' : 'NO_CHANGE';
    const outcome = new OutcomeBuilder();
    outcome.applied(contact.isNew ? 'CREATED' : 'NO_CHANGE', contact.id, merged.ignored);
    this.writes.push({ uuid, userId, contactId: contact.id });
    return withUsers(outcome, request, (orgId) => (orgId !== null && this.join(draft, orgId) ? 'CREATED' : unlinked));
  }

  private join(draft: Draft, orgId: string): boolean {
    if (draft.orgIds.has(orgId)) return false;
    draft.orgIds.add(orgId);
    this.joined.push({ orgId, userId: draft.userId });
    return true;
  }

  private fail(request: UserRequest, owner: string | null, error: string, ignored?: string[]): Outcome {
    this.writes.push({ uuid: request.uuid, userId: request.userId, contactId: owner });
    return failure(request, this.contacts.find(request.email), error, ignored);
  }

  get added(): Draft[] {
    return [...this.users.values()].filter((draft) => draft.isNew);
  }

  get changed(): Draft[] {
    return [...this.users.values()].filter((draft) => draft.isChanged && !draft.isNew);
  }
}

/** All items of a write fail together: nothing of it is stored, not even its contact. */
export function failure(
  request: UserRequest,
  contactId: string | undefined,
  error: string,
  ignored?: string[],
): Outcome {
  const outcome = new OutcomeBuilder();
  outcome.failed(contactId, contactId ? null : request.email, error, ignored);
  return withUsers(outcome, request, () => 'FAILED');
}

type StatusOf = (orgId: string | null) => ItemStatus;

function withUsers(outcome: OutcomeBuilder, { orgIds }: UserRequest, statusOf: StatusOf): Outcome {
  const { results: contact, failures } = outcome.build();
  const users = linksOf(orgIds).map((orgId) => ({ orgId, status: statusOf(orgId) }));
  return { results: { contact, users } satisfies UserResults, failures };
}
