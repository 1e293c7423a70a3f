// What the page needs to know about an operation to try it. The server writes these as /docs/operations.json.

export interface Field {
  name: string;
  hint: string;
  required: boolean;
  example: string;
  /** The allowed values, if they are limited. */
  choices: string[];
  /** May be given several times. */
  many: boolean;
}

export interface Operation {
  id: string;
  name: string;
  method: string;
  /** The full path of the newest version, with names in braces. */
  path: string;
  /** Which of the two tokens it needs. */
  token: 'access' | 'administration';
  params: Field[];
  query: Field[];
  headers: Field[];
  /** An example JSON body, or null if there is none to send. */
  body: string | null;
  /** Content types of a file that is sent instead. */
  files: string[];
}
