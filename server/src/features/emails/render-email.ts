import type { Failure, Field, Links } from './rendering/texts.js';

/** A stored email that cannot be rendered for a contact, and the position of the fault. */
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

/** Inert links, for previews and test sends. */
export function previewLinks(baseUrl: string): Links {
  const link = (kind: string) => `${baseUrl}/t/${kind}/preview`;
  return { unsubscribeUrl: link('u'), preferencesUrl: link('p'), viewUrl: link('v'), confirmUrl: link('y') };
}
