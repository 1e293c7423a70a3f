// What goes to a rendering process and comes back. No code: both sides read it.
import type { Problem, Values, Variable } from '../template/index.js';

/** The parts of an email that are templates. */
export interface Texts {
  subject: string;
  preheader: string | null;
  html: string;
  /** The preheader is the body of a webhook, and that is JSON. */
  isJson?: boolean;
}
export type Field = 'subject' | 'preheader' | 'html';

/** Who a message is for; null where no contact was named, so that the defaults show. */
export interface Recipient {
  email: string;
  properties: Values;
}
/** The links of one message. */
export interface Links {
  unsubscribeUrl: string;
  preferencesUrl: string;
  viewUrl: string;
}

/** What one message brings along for its template: `{{data.…}}`, `{{event.…}}`, `{{webhook.…}}`. */
export interface Words {
  data?: Values;
  event?: Values;
  webhook?: Values;
}

/** One message to render: all of the email, or all but its html. */
export interface Person {
  to: Recipient | null;
  links: Links;
  words?: Words | undefined;
  withoutHtml?: boolean;
  /** The plain-text part too: of the html, or of this one where it is no template. */
  withText?: boolean | undefined;
  html?: string;
  /** Only take the tags away: more was too much. */
  simply?: boolean;
}
/** A part of an email that cannot be rendered for a person, and where. */
export interface Failure extends Problem {
  field: Field;
}
export type Outcome = { ok: true; texts: Texts; text?: string } | { ok: false; failure: Failure };

export interface FieldVariable extends Variable {
  field: Field;
}
export interface Checked {
  faults: Failure[];
  variables: FieldVariable[];
}

export type Job =
  | { kind: 'check'; texts: Texts }
  /** Carefully: every step is told before it begins. */
  | { kind: 'render'; texts: Texts; people: readonly Person[]; carefully: boolean }
  | { kind: 'plainText'; html: string; simply: boolean }
  /** A mail that came back: anyone may have written it. */
  | { kind: 'reports'; raw: Uint8Array };

/** Told before a step that may not end. */
export type Note = (field: Field | 'text') => void;
