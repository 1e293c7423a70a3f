// What the page must know of an operation to try it. The server writes these as /docs/operations.json.

export interface Field {
  name: string;
  hint: string;
  required: boolean;
  example: string;
  /** One of these words, where only some are taken. */
  choices: string[];
  /** May be given several times. */
  many: boolean;
}

export interface Operation {
  id: string;
  name: string;
  method: string;
  /** Whole, of the newest version, with names in braces. */
  path: string;
  /** Which of the two tokens it needs. */
  token: 'access' | 'administration';
  params: Field[];
  query: Field[];
  headers: Field[];
  /** An example body of JSON, or null where there is none to send. */
  body: string | null;
  /** Content types of a file that is sent instead. */
  files: string[];
}
