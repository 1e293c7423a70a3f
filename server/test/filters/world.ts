// A small world to test filters on, as plain values: what the interpreter reads and what is written into the tables.

import type { MarketingEventName, TopicState } from '@rapport/contract';

export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };
export type Properties = Readonly<Record<string, Json>>;

/** Times are milliseconds since 1970. */
export interface World {
  readonly now: number;
  readonly contacts: readonly Contact[];
  readonly users: readonly User[];
  readonly organizations: readonly Organization[];
  readonly memberships: readonly { readonly orgId: string; readonly userId: string }[];
  readonly events: readonly Event[];
  readonly activity: readonly Activity[];
  readonly staticLists: readonly List[];
  readonly dynamicLists: readonly List[];
  readonly topics: readonly Topic[];
}

export interface Contact {
  readonly id: string;
  readonly email: string;
  readonly properties: Properties;
  /** The earlier values of a property, oldest first; null: not set. */
  readonly past: Readonly<Record<string, readonly Json[]>>;
  readonly createdAt: number;
  readonly updatedAt: number;
}

interface User {
  readonly userId: string;
  readonly contactId: string;
  readonly properties: Properties;
}

export interface Organization {
  readonly orgId: string;
  readonly name: string;
  readonly properties: Properties;
}

export interface Event {
  readonly contactId: string;
  readonly at: number;
  /** The order of arrival. */
  readonly no: number;
  readonly name: string;
  readonly userId: string | null;
  readonly orgId: string | null;
  readonly properties: Properties | null;
}

/** What happened to a mail. */
export interface Activity {
  readonly contactId: string;
  readonly at: number;
  readonly no: number;
  readonly what: MarketingEventName;
  readonly emailId: string | null;
  readonly journeyId: string | null;
  readonly linkUrl: string | null;
  readonly isMachine: boolean;
}

export interface List {
  readonly id: string;
  readonly members: readonly string[];
}

interface Topic {
  readonly id: string;
  readonly byDefault: TopicState;
  /** The contacts' choices about it, by contact id. */
  readonly said: Readonly<Record<string, TopicState>>;
}
