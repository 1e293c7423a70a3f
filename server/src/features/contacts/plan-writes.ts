// Decides what a run of writes does to contacts. Pure: given what is stored, it answers what to store and each outcome.
import type { Cause } from '../../db/news.js';
import { mapInTurns, type Turn } from '../../lib/turns.js';
import { bodyOf, type PendingWrite } from '../transactions/index.js';
import { type Change, mergeProperties, type Properties } from './properties.js';
import { type Item, readItem } from './read-item.js';
import { type ItemOutcome, type ItemStatus, OutcomeBuilder } from './results.js';

export interface StoredContact {
  id: string;
  email: string;
  properties: Properties;
}

/** A contact as it will be: new or changed, with the JSON to store. */
export interface Draft extends StoredContact {
  isNew: boolean;
  isChanged: boolean;
  json: string;
  nameChanged: boolean;
}

/** An entry of a contact's activity log. `at`: when its write was acknowledged, where that is known. */
export type Logged = Change & { contactId: string; source: string; at?: string | undefined; cause?: Cause | undefined };

export interface Plan {
  drafts: Draft[];
  /** Of properties of contacts. */
  changes: Logged[];
  /** These and what other features have to say of a contact, in the order of the writes. */
  log: Logged[];
  outcomes: ItemOutcome[];
}

/** Of any kind: each has its own of these. */
interface Payload {
  contacts: unknown[];
  contactId: string;
  body: { properties: Record<string, unknown> };
}

/** What one write asks for, read from its payload. */
export type Request =
  | { kind: 'create' | 'upsert'; items: Item[] }
  | { kind: 'update'; contactId: string; properties: Record<string, unknown>; isOurs?: boolean };

export async function readRequest(write: PendingWrite): Promise<Request> {
  const body = await bodyOf<Payload>(write);
  switch (write.kind) {
    case 'contact.create':
      return { kind: 'create', items: [readItem(body)] };
    case 'contact.batch':
      return { kind: 'upsert', items: await mapInTurns(body.contacts, readItem) };
    case 'contact.update':
      return { kind: 'update', contactId: body.contactId, properties: body.body.properties };
    default:
      throw new Error(`Not a contact write: ${write.kind}`);
  }
}

/** The emails and ids that must be looked up before planning. */
export function keysOf(requests: readonly Request[]): { emails: string[]; ids: string[] } {
  const emails = new Set<string>();
  const ids = new Set<string>();
  for (const request of requests) {
    if (request.kind === 'update') ids.add(request.contactId);
    else for (const item of request.items) if (item.ok) emails.add(item.email);
  }
  return { emails: [...emails], ids: [...ids] };
}

const nameFields = new Set(['first_name', 'last_name']);

export class Planner {
  private readonly byEmail = new Map<string, Draft>();
  private readonly byId = new Map<string, Draft>();
  private readonly changes: Logged[] = [];
  private readonly log: Logged[] = [];
  private readonly outcomes: ItemOutcome[] = [];
  /** When the write that is planned was acknowledged. */
  private at: string | undefined;
  private cause: Cause | undefined;

  constructor(
    stored: readonly StoredContact[],
    private readonly newId: () => string,
  ) {
    for (const contact of stored)
      this.add({ ...contact, isNew: false, isChanged: false, json: '', nameChanged: false });
  }

  private add(draft: Draft): void {
    this.byEmail.set(draft.email, draft);
    this.byId.set(draft.id, draft);
  }

  find(email: string): StoredContact | undefined {
    return this.byEmail.get(email);
  }

  findById(contactId: string): StoredContact | undefined {
    return this.byId.get(contactId);
  }

  /** What is planned from here on belongs to a write that was acknowledged then. */
  asOf(at: string | undefined, cause?: Cause): void {
    this.at = at;
    this.cause = cause;
  }

  plan(request: Request, source = 'api'): ItemOutcome {
    const outcome = new OutcomeBuilder();
    if (request.kind === 'update') {
      const draft = this.byId.get(request.contactId);
      if (draft) this.change(outcome, draft, request.properties, source, request.isOurs);
      else outcome.failed(undefined, null, 'The contact was deleted before this write was applied.');
    } else for (const item of request.items) this.planItem(outcome, item, request.kind === 'create', source);
    const built = outcome.build();
    this.outcomes.push(built);
    return built;
  }

  /** Some items of a long batch, whose outcome goes on. Others have their turn meanwhile. */
  async planPart(outcome: OutcomeBuilder, items: readonly Item[], turn: Turn): Promise<void> {
    for (const item of items) {
      if (turn.isOver) await turn.next();
      this.planItem(outcome, item, false, 'api');
    }
  }

  private planItem(outcome: OutcomeBuilder, item: Item, createOnly: boolean, source: string): void {
    if (!item.ok) {
      outcome.failed(undefined, item.email, item.error);
      return;
    }
    const draft = this.byEmail.get(item.email);
    if (!draft) this.create(outcome, item.email, item.properties);
    else if (createOnly) outcome.failed(draft.id, null, 'A contact with this email exists already.');
    else this.change(outcome, draft, item.properties, source);
  }

  private create(outcome: OutcomeBuilder, email: string, wanted: Record<string, unknown>): void {
    const merged = mergeProperties({}, wanted);
    if (!merged.ok) {
      outcome.failed(undefined, email, merged.error, merged.ignored);
      return;
    }
    const { properties, json } = merged;
    const id = this.newId();
    this.add({ id, email, properties, isNew: true, isChanged: true, json: json || '{}', nameChanged: true });
    outcome.applied('CREATED', id, merged.ignored);
  }

  private change(
    outcome: OutcomeBuilder,
    draft: Draft,
    wanted: Record<string, unknown>,
    source: string,
    isOurs = false,
  ): void {
    const merged = mergeProperties(draft.properties, wanted, 'contact', isOurs);
    if (!merged.ok) {
      outcome.failed(draft.id, null, merged.error, merged.ignored);
      return;
    }
    const status: ItemStatus = merged.changes.length > 0 ? 'UPDATED' : 'NO_CHANGE';
    if (status === 'UPDATED') {
      draft.properties = merged.properties;
      draft.json = merged.json;
      draft.isChanged = true;
      for (const change of merged.changes) {
        if (nameFields.has(change.field)) draft.nameChanged = true;
        const logged = {
          ...change,
          contactId: draft.id,
          source,
          at: this.at,
          ...(this.cause ? { cause: this.cause } : {}),
        };
        this.changes.push(logged);
        this.log.push(logged);
      }
    }
    outcome.applied(status, draft.id, merged.ignored);
  }

  /** Puts into a contact's log what is no property of the contact. */
  note(entry: Logged): void {
    this.log.push(entry);
  }

  finish(): Plan {
    const drafts = [...this.byId.values()].filter((draft) => draft.isChanged);
    return { drafts, changes: this.changes, log: this.log, outcomes: this.outcomes };
  }
}
