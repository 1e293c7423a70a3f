// Decides what a run of writes does to product users. Pure: it takes what is stored and returns what to store and each write's outcome.
import { withDashes } from '../../lib/ids.js';
import { parseJson } from '../../lib/parse-json.js';
import {
  type ContactBook,
  type ItemStatus,
  mergeProperties,
  OutcomeBuilder,
  type StoredResults,
} from '../contacts/index.js';
import type { WriteOutcome } from '../transactions/index.js';
import type { UserDrafts } from './user-drafts.js';

/** What one write asks for, read from its payload. */
export interface UserRequest {
  uuid: string;
  email: string;
  userId: string;
  orgIds: string[];
  properties: Record<string, unknown>;
}

export function readRequest({ uuid, payload }: { uuid: string; payload: string }): UserRequest {
  const request = parseJson(payload) as Omit<UserRequest, 'uuid' | 'userId'> & { userId?: string | null };
  const { email, userId, orgIds, properties } = request;
  return { uuid, email, userId: userId ?? generatedUserId(uuid), orgIds, properties };
}

/** The write's own uuid: a replayed response names the same user, and nothing about the person is stored with the key. */
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

/** The person whose data the results of a write contain. */
export interface UserWrite {
  uuid: string;
  userId: string;
  contactId: string | null;
}

export class UserPlanner {
  readonly writes: UserWrite[] = [];

  constructor(
    private readonly users: UserDrafts,
    private readonly contacts: Pick<ContactBook, 'find' | 'ensure' | 'note'>,
  ) {}

  plan(request: UserRequest): WriteOutcome {
    const { uuid, email, userId } = request;
    const contactId = this.contacts.find(email);
    const user = this.users.find(userId);
    const owner = user?.contactId ?? contactId ?? null;
    if (user && owner !== contactId) return this.fail(request, owner, 'The userId belongs to another email.');
    const merged = mergeProperties(user?.properties ?? {}, request.properties, 'user');
    if (!merged.ok) return this.fail(request, owner, merged.error, merged.ignored);
    const contact = this.contacts.ensure(email);
    const draft = user ?? this.users.add(userId, contact.id);
    this.users.noteRemoved(draft, request.properties);
    // As with contacts, the first properties of a user are not a change.
    const isChanged = user
      ? this.users.changeAndLog(user, merged, this.contacts, 'api')
      : this.users.change(draft, merged);
    const unlinked: ItemStatus = !user ? 'CREATED' : isChanged ? 'UPDATED' : 'NO_CHANGE';
    const outcome = new OutcomeBuilder();
    outcome.applied(contact.isNew ? 'CREATED' : 'NO_CHANGE', contact.id, merged.ignored);
    this.writes.push({ uuid, userId, contactId: contact.id });
    return withUsers(outcome, request, (orgId) =>
      orgId !== null && this.users.join(draft, orgId) ? 'CREATED' : unlinked,
    );
  }

  private fail(request: UserRequest, owner: string | null, error: string, ignored?: string[]): WriteOutcome {
    this.writes.push({ uuid: request.uuid, userId: request.userId, contactId: owner });
    return failure(request, this.contacts.find(request.email), error, ignored);
  }
}

/** All items of a write fail together: nothing of it is stored, not even its contact. */
export function failure(
  request: { email: string | null; orgIds: string[] },
  contactId: string | undefined,
  error: string,
  ignored?: string[],
): WriteOutcome {
  const outcome = new OutcomeBuilder();
  outcome.failed(contactId, contactId ? null : request.email, error, ignored);
  return withUsers(outcome, request, () => 'FAILED');
}

type StatusOf = (orgId: string | null) => ItemStatus;

function withUsers(outcome: OutcomeBuilder, { orgIds }: Pick<UserRequest, 'orgIds'>, statusOf: StatusOf): WriteOutcome {
  const { results: contact, failures } = outcome.build();
  const users = linksOf(orgIds).map((orgId) => ({ orgId, status: statusOf(orgId) }));
  return { results: { contact, users } satisfies UserResults, failures };
}
