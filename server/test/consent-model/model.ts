// What becomes of people and topics, said as plainly as the contract says it: the model that the service is compared with.

type State = 'subscribed' | 'unsubscribed' | 'pending';
type Source = 'form' | 'confirmation' | 'page' | 'oneClick' | 'api' | 'import' | 'journey';

export interface ModelTopic {
  readonly key: string;
  readonly byDefault: 'subscribed' | 'unsubscribed';
  readonly doubleOptIn: boolean;
}

interface Said {
  state: State;
  /** How the person unsubscribed, as long as that stands. */
  refusedBy: Source | null;
}

export interface Contact {
  said: Map<string, Said>;
  log: [State, Source][];
  /** How many entries at its beginning came back with the address. */
  restored: number;
}

/** A mail that asked, by its link. */
export interface Asked {
  readonly address: string;
  readonly topics: readonly string[];
  isOpen: boolean;
}

const mostMails = 3;

export class Model {
  readonly contacts = new Map<string, Contact>();
  /** Addresses that unsubscribed from everything; erasing a contact does not change that. */
  readonly gone = new Set<string>();
  /** Of those, the ones that were erased since: only a hash of the address is kept, and lists show no address. */
  readonly nameless = new Set<string>();
  readonly asked: Asked[] = [];
  private readonly refusals = new Map<string, Map<string, Source>>();
  private readonly mails = new Map<string, number>();
  private readonly topics: ReadonlyMap<string, ModelTopic>;

  constructor(topics: readonly ModelTopic[]) {
    this.topics = new Map(topics.map((topic) => [topic.key, topic]));
  }

  stateOf(address: string, key: string): State {
    return this.contacts.get(address)?.said.get(key)?.state ?? (this.topics.get(key) as ModelTopic).byDefault;
  }

  statesOf(address: string): Record<string, State> {
    return Object.fromEntries([...this.topics.keys()].map((key) => [key, this.stateOf(address, key)]));
  }

  /** Subscribed, unsubscribed, pending; the default aside. */
  countsOf(key: string): number[] {
    const said = [...this.contacts.values()].flatMap((contact) => contact.said.get(key)?.state ?? []);
    return ['subscribed', 'unsubscribed', 'pending'].map((state) => said.filter((each) => each === state).length);
  }

  /** Why a message about a topic does not leave; undefined: it does. */
  skipReason(address: string, key: string): 'unsubscribed' | 'topic' | undefined {
    if (this.gone.has(address)) return 'unsubscribed';
    return this.stateOf(address, key) === 'subscribed' ? undefined : 'topic';
  }

  /** Makes the contact where there is none: what it had unsubscribed from before it was erased is there again. */
  private ensure(address: string): { contact: Contact; isNew: boolean } {
    const known = this.contacts.get(address);
    if (known) return { contact: known, isNew: false };
    const refused = this.refusals.get(address) ?? new Map<string, Source>();
    const contact: Contact = { said: new Map(), log: [], restored: refused.size };
    for (const [key, source] of refused) {
      contact.said.set(key, { state: 'unsubscribed', refusedBy: source });
      contact.log.push(['unsubscribed', source]);
    }
    this.refusals.delete(address);
    this.contacts.set(address, contact);
    return { contact, isNew: true };
  }

  /** A change by the person, or by a caller. Imports and journeys may not overrule a person: then the answer is `kept`. */
  say(address: string, key: string, state: 'subscribed' | 'unsubscribed', source: Source): 'kept' | 'done' {
    const { contact } = this.ensure(address);
    const now = contact.said.get(key);
    if (now?.state === state) return 'done';
    if (state === 'subscribed' && now?.refusedBy) {
      if (source === 'import') return 'kept';
      if (source === 'journey' && ['page', 'oneClick'].includes(now.refusedBy)) return 'kept';
    }
    contact.said.set(key, { state, refusedBy: state === 'unsubscribed' ? source : null });
    contact.log.push([state, source]);
    return 'done';
  }

  /** Whether a mail asks, and about what. Null: the submission is accepted, or nothing more may be mailed. */
  submit(address: string, keys: readonly string[]): { outcome: 'accepted' | 'pending'; asked: Asked | null } {
    const { contact, isNew } = this.ensure(address);
    const wanted = keys.filter((key) => this.isAskedAbout(contact, isNew, address, key));
    for (const key of keys) this.takeForm(contact, isNew, key, wanted.includes(key));
    if (wanted.length === 0) return { outcome: 'accepted', asked: null };
    const topics = wanted.filter((key) => (this.mails.get(address + key) ?? 0) < mostMails);
    if (topics.length === 0) return { outcome: 'pending', asked: null };
    for (const key of topics) this.mails.set(address + key, (this.mails.get(address + key) ?? 0) + 1);
    const asked = { address, topics, isOpen: true };
    this.asked.push(asked);
    return { outcome: 'pending', asked };
  }

  private isAskedAbout(contact: Contact, isNew: boolean, address: string, key: string): boolean {
    const { byDefault, doubleOptIn } = this.topics.get(key) as ModelTopic;
    const now = contact.said.get(key)?.state;
    if (now !== undefined) return now !== 'subscribed';
    if (byDefault === 'subscribed' && !isNew) return false;
    return doubleOptIn || this.gone.has(address);
  }

  private takeForm(contact: Contact, isNew: boolean, key: string, isAsked: boolean): void {
    const now = contact.said.get(key);
    if (now?.state === 'subscribed' || now?.state === 'pending') return;
    const { byDefault, doubleOptIn } = this.topics.get(key) as ModelTopic;
    // A default stays unsaid where the form would have to ask.
    if (!isAsked && now === undefined && byDefault === 'subscribed' && !isNew && (doubleOptIn || this.isGone(contact)))
      return;
    const state = isAsked ? 'pending' : 'subscribed';
    contact.said.set(key, { state, refusedBy: isAsked ? (now?.refusedBy ?? null) : null });
    contact.log.push([state, 'form']);
  }

  private isGone(contact: Contact): boolean {
    return [...this.contacts].some(([address, each]) => each === contact && this.gone.has(address));
  }

  confirm(asked: Asked): void {
    if (!asked.isOpen) return;
    asked.isOpen = false;
    for (const key of asked.topics) this.say(asked.address, key, 'subscribed', 'confirmation');
    this.comeBack(asked.address);
  }

  /** Whether the address had left everything. */
  comeBack(address: string): boolean {
    this.nameless.delete(address);
    return this.gone.delete(address);
  }

  erase(address: string): void {
    const contact = this.contacts.get(address);
    if (!contact) return;
    if (this.gone.has(address)) this.nameless.add(address);
    const refused = [...contact.said].flatMap(([key, { refusedBy }]) => (refusedBy ? [[key, refusedBy] as const] : []));
    this.refusals.set(address, new Map(refused));
    this.contacts.delete(address);
    for (const asked of this.asked) if (asked.address === address) asked.isOpen = false;
  }
}
