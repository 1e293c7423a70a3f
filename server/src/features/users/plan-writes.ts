// Decides what a run of writes does to product users. Pure: given what is stored, it answers what to store and each outcome.
import { withDashes } from '../../lib/ids.js';
import {
  type ContactBook,
  type ItemStatus,
  mergeProperties,
  OutcomeBuilder,
  type StoredResults,
} from '../contacts/index.js';
import type { Membership } from '../organizations/index.js';
import type { Outcome } from '../transactions/index.js';
import type { StoredUser } from './queries.js';

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

/** What is stored in write_transaction.results. The user's id is in user_write. */
export interface UserResults {
  contact: StoredResults;
  users: { orgId: string | null; status: ItemStatus }[];
}

/** A user as it will be, with the JSON to store. */
export interface Draft extends StoredUser {
  orgIds: Set<string>;
  isNew: boolean;
  isChanged: boolean;
  json: string;
}

/** Whose data a finished write holds. */
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
    for (const user of stored) {
      this.users.set(user.userId, { ...user, orgIds: new Set(), isNew: false, isChanged: false, json: '' });
    }
    for (const { userId, orgId } of memberships) this.users.get(userId)?.orgIds.add(orgId);
  }

  plan(request: UserRequest): Outcome {
    const { uuid, email, userId } = request;
    const contactId = this.contacts.find(email);
    const user = this.users.get(userId);
    if (user && user.contactId !== contactId) {
      this.writes.push({ uuid, userId, contactId: user.contactId });
      return failure(request, contactId, 'The userId belongs to another email.');
    }
    const merged = mergeProperties(user?.properties ?? {}, request.properties, 'user');
    if (!merged.ok) {
      this.writes.push({ uuid, userId, contactId: contactId ?? null });
      return failure(request, contactId, merged.error);
    }
    const contact = this.contacts.ensure(email);
    this.writes.push({ uuid, userId, contactId: contact.id });
    const isChanged = merged.changes.length > 0;
    const before = user && { isNew: false, orgIds: new Set(user.orgIds) };
    const draft = user ?? {
      userId,
      contactId: contact.id,
      properties: {},
      orgIds: new Set(),
      isNew: true,
      isChanged,
      json: '{}',
    };
    if (!user) this.users.set(userId, draft);
    if (isChanged) Object.assign(draft, { properties: merged.properties, json: merged.json, isChanged });
    const status = (orgId: string | null): ItemStatus => {
      if (!before || (orgId !== null && !before.orgIds.has(orgId))) return 'CREATED';
      return isChanged ? 'UPDATED' : 'NO_CHANGE';
    };
    this.join(draft, request.orgIds);
    const outcome = new OutcomeBuilder();
    outcome.applied(contact.isNew ? 'CREATED' : 'NO_CHANGE', contact.id);
    return withUsers(outcome, request, status);
  }

  private join(draft: Draft, orgIds: readonly string[]): void {
    for (const orgId of orgIds) {
      if (draft.orgIds.has(orgId)) continue;
      draft.orgIds.add(orgId);
      this.joined.push({ orgId, userId: draft.userId });
    }
  }

  get added(): Draft[] {
    return [...this.users.values()].filter((draft) => draft.isNew);
  }

  get changed(): Draft[] {
    return [...this.users.values()].filter((draft) => draft.isChanged && !draft.isNew);
  }
}

/** All items of a write fail together: nothing of it is stored, not even its contact. */
export function failure(request: UserRequest, contactId: string | undefined, error: string): Outcome {
  const outcome = new OutcomeBuilder();
  outcome.failed(contactId, contactId ? null : request.email, error);
  return withUsers(outcome, request, () => 'FAILED');
}

function withUsers(
  outcome: OutcomeBuilder,
  { orgIds }: UserRequest,
  status: (orgId: string | null) => ItemStatus,
): Outcome {
  const { results: contact, failures } = outcome.build();
  const users = linksOf(orgIds).map((orgId) => ({ orgId, status: status(orgId) }));
  return { results: { contact, users } satisfies UserResults, failures };
}

/** One item for each organization, or one for the user alone. */
export function linksOf(orgIds: readonly string[]): (string | null)[] {
  return orgIds.length === 0 ? [null] : [...orgIds];
}
