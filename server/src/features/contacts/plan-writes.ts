// Decides what a run of writes does to contacts. Pure: it takes what is stored and returns what to store and each write's outcome.
import type { Cause } from '../../db/news.js';
import { mapInTurns, type Turn } from '../../lib/turns.js';
import { bodyOf, type PendingWrite } from '../transactions/index.js';
import { type Change, mergeProperties, type Properties } from './properties.js';
import { type Item, readItem } from './read-item.js';
import { type ItemOutcome, type ItemStatus, OutcomeBuilder } from './results.js';
import { readTopics, type TopicBook, type TopicWords, type Voucher } from './topic-words.js';

export interface StoredContact {
  id: string;
  email: string;
  properties: Properties;
}

/** A contact as it will be stored: new or changed, with its JSON. */
export interface Draft extends StoredContact {
  isNew: boolean;
  isChanged: boolean;
  json: string;
  nameChanged: boolean;
}

/** An entry of a contact's activity log. `at` is when its write was acknowledged, if known. */
export type Logged = Change & { contactId: string; source: string; at?: string | undefined; cause?: Cause | undefined };

export interface Plan {
  drafts: Draft[];
  /** Changes of contact properties. */
  changes: Logged[];
  /** `changes`, and what other features log about a contact, in the order of the writes. */
  log: Logged[];
  outcomes: ItemOutcome[];
}

/** A payload of any kind of write; each kind has some of these fields. */
interface Payload {
  contacts: unknown[];
  contactId: string;
  body: { properties?: Record<string, unknown>; topics?: unknown };
  /** Who makes the statements about topics, if there are any. Written last into the payload, so a caller cannot override it. */
  voucher?: Voucher;
}

/** What one write asks for, read from its payload. */
export type Request =
  | { kind: 'create' | 'upsert'; items: Item[]; voucher?: Voucher | undefined }
  | {
      kind: 'update';
      contactId: string;
      properties: Record<string, unknown>;
      isOurs?: boolean;
      topics?: TopicWords | undefined;
      /** Why it cannot be applied. */
      fault?: string | undefined;
      voucher?: Voucher | undefined;
    };

export async function readRequest(write: PendingWrite): Promise<Request> {
  const body = await bodyOf<Payload>(write);
  switch (write.kind) {
    case 'contact.create':
      return { kind: 'create', items: [readItem(body)], voucher: body.voucher };
    case 'contact.batch':
      return { kind: 'upsert', items: await mapInTurns(body.contacts, readItem), voucher: body.voucher };
    case 'contact.update': {
      const said = readTopics(body.body.topics);
      const topics = said.ok ? { topics: said.words } : { fault: said.error };
      const { contactId, voucher } = body;
      return { kind: 'update', contactId, properties: body.body.properties ?? {}, voucher, ...topics };
    }
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

/** The keys of all topics that the requests mention. */
export function topicKeysOf(requests: readonly Request[]): string[] {
  const keys = new Set<string>();
  const add = (words: TopicWords | undefined) => {
    if (words) for (const key in words) keys.add(key);
  };
  for (const request of requests) {
    if (request.kind === 'update') add(request.topics);
    else for (const item of request.items) if (item.ok) add(item.topics);
  }
  return [...keys];
}

const someCaller: Voucher = { source: 'api', accountId: null };
const nameFields = new Set(['first_name', 'last_name']);

type Wanted = Extract<Item, { ok: true }>;
interface Wish extends Pick<Wanted, 'properties' | 'topics'> {
  isOurs?: boolean;
  voucher: Voucher;
}

export class Planner {
  private readonly byEmail = new Map<string, Draft>();
  private readonly byId = new Map<string, Draft>();
  private readonly changes: Logged[] = [];
  private readonly log: Logged[] = [];
  private readonly outcomes: ItemOutcome[] = [];
  /** When the write being planned was acknowledged. */
  private at: string | undefined;
  private cause: Cause | undefined;

  constructor(
    stored: readonly StoredContact[],
    private readonly newId: () => string,
    /** Present if the writes mention topics. */
    private readonly topics?: TopicBook,
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

  /** Everything planned from here on belongs to a write that was acknowledged at this time. */
  asOf(at: string | undefined, cause?: Cause): void {
    this.at = at;
    this.cause = cause;
  }

  plan(request: Request, source = 'api'): ItemOutcome {
    const outcome = new OutcomeBuilder();
    const { voucher = someCaller } = request;
    if (request.kind === 'update') {
      const draft = this.byId.get(request.contactId);
      const fault = request.fault ?? this.faultOf(request.topics);
      if (!draft) outcome.failed(undefined, null, 'The contact was deleted before this write was applied.');
      else if (fault !== undefined) outcome.failed(draft.id, null, fault);
      else this.change(outcome, draft, { ...request, voucher }, source);
    } else for (const item of request.items) this.planItem(outcome, item, request.kind === 'create', source, voucher);
    const built = outcome.build();
    this.outcomes.push(built);
    return built;
  }

  /** Plans some items of a long batch and continues its outcome. Yields to other work in between. */
  async planPart(outcome: OutcomeBuilder, items: readonly Item[], turn: Turn, voucher = someCaller): Promise<void> {
    for (const item of items) {
      if (turn.isOver) await turn.next();
      this.planItem(outcome, item, false, 'api', voucher);
    }
  }

  private planItem(outcome: OutcomeBuilder, item: Item, createOnly: boolean, source: string, voucher: Voucher): void {
    if (!item.ok) {
      outcome.failed(undefined, item.email, item.error);
      return;
    }
    const draft = this.byEmail.get(item.email);
    const fault = this.faultOf(item.topics);
    if (fault !== undefined) outcome.failed(draft?.id, draft ? null : item.email, fault);
    else if (!draft) this.create(outcome, item, voucher);
    else if (createOnly) outcome.failed(draft.id, null, 'A contact with this email exists already.');
    else this.change(outcome, draft, { ...item, voucher }, source);
  }

  private faultOf(topics: TopicWords | undefined): string | undefined {
    return topics && this.topics?.faultOf(topics);
  }

  private create(outcome: OutcomeBuilder, { email, properties: wanted, topics }: Wanted, voucher: Voucher): void {
    const merged = mergeProperties({}, wanted);
    if (!merged.ok) {
      outcome.failed(undefined, email, merged.error, merged.ignored);
      return;
    }
    const { properties, json } = merged;
    const id = this.newId();
    this.add({ id, email, properties, isNew: true, isChanged: true, json: json || '{}', nameChanged: true });
    if (topics) this.topics?.say(id, topics, voucher);
    outcome.applied('CREATED', id, merged.ignored);
  }

  private change(
    outcome: OutcomeBuilder,
    draft: Draft,
    { properties, topics, isOurs = false, voucher }: Wish,
    source: string,
  ): void {
    const merged = mergeProperties(draft.properties, properties, 'contact', isOurs);
    if (!merged.ok) {
      outcome.failed(draft.id, null, merged.error, merged.ignored);
      return;
    }
    const saysMore = topics !== undefined && this.topics?.say(draft.id, topics, voucher) === true;
    const status: ItemStatus = saysMore || merged.changes.length > 0 ? 'UPDATED' : 'NO_CHANGE';
    if (merged.changes.length > 0) {
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

  /** Logs a change that is not a contact property. */
  note(entry: Logged): void {
    this.log.push(entry);
  }

  finish(): Plan {
    const drafts = [...this.byId.values()].filter((draft) => draft.isChanged);
    return { drafts, changes: this.changes, log: this.log, outcomes: this.outcomes };
  }
}
