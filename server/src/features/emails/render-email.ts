import type { Failure, Field, Links } from './rendering/texts.js';

/** A stored email that cannot be rendered for a contact, and where. */
export class RenderFailure extends Error {
  readonly field: Field;
  readonly line: number;
  readonly column: number;

  constructor({ field, line, column, message }: Failure) {
    super(`${field} cannot be rendered: ${message} (line ${line}, column ${column}).`);
    this.field = field;
    this.line = line;
    this.column = column;
  }
}

/** Links that do nothing, for previews and messages to oneself. */
export function previewLinks(baseUrl: string): Links {
  const link = (kind: string) => `${baseUrl}/t/${kind}/preview`;
  return { unsubscribeUrl: link('u'), preferencesUrl: link('p'), viewUrl: link('v') };
}
