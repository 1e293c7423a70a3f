// What is sent to a rendering process and back. Contains no code: both sides import it.
import type { Design } from '@rapport/contract';
import type { Known } from '../../designs/index.js';
import type { Problem, Values, Variable } from '../template/index.js';

/** The parts of an email that are templates. */
export interface Texts {
  subject: string;
  preheader: string | null;
  html: string;
  /** The plain-text part, if it has a template of its own; else it is made from the html. */
  text?: string | null;
  /** The conditions in it, as they stand in their tags. */
  conditions?: readonly string[];
  /** The preheader holds the body of a webhook, which is JSON. */
  isJson?: boolean;
}
export type Field = 'subject' | 'preheader' | 'html';

/** The recipient; null if no contact was named, so that the defaults show. */
export interface Recipient {
  email: string;
  properties: Values;
  /** Whom the conditions of a design are about. */
  id?: string;
}
/** The links of one message. */
export interface Links {
  unsubscribeUrl: string;
  preferencesUrl: string;
  viewUrl: string;
  /** For a message that may ask for confirmation. */
  confirmUrl?: string;
}

/** What one message carries for its template: `{{data.…}}`, `{{event.…}}`, `{{webhook.…}}`. */
export interface Words {
  data?: Values;
  event?: Values;
  webhook?: Values;
}

/** One message to render: the whole email, or everything except its html. */
export interface Person {
  to: Recipient | null;
  links: Links;
  words?: Words | undefined;
  withoutHtml?: boolean;
  /** Whether each of the conditions holds. Without it, none does. */
  holds?: readonly boolean[];
  /** Also make the plain-text part: from the rendered html, or from `html` below if the html is not a template. */
  withText?: boolean | undefined;
  html?: string;
  /** Only strip the tags: a better conversion was too expensive. */
  simply?: boolean;
}
/** A part of an email that cannot be rendered for a person, and the position of the fault. */
export interface Failure extends Problem {
  field: Field;
}
export type RenderOutcome = { ok: true; texts: Texts; text?: string } | { ok: false; failure: Failure };

export interface FieldVariable extends Variable {
  field: Field;
}
export interface Checked {
  faults: Failure[];
  variables: FieldVariable[];
}

export type Job =
  | { kind: 'check'; texts: Texts }
  /** `carefully`: reports every step before it begins. */
  | { kind: 'render'; texts: Texts; people: readonly Person[]; carefully: boolean }
  | { kind: 'compile'; design: Design; known: Known }
  | { kind: 'plainText'; html: string; simply: boolean }
  /** A mail that came back. Its content is untrusted. */
  | { kind: 'reports'; raw: Uint8Array };

/** Called before a step that may not end. */
export type Note = (field: Field | 'text') => void;
