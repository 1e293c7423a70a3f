/** Something a person can act on: shown without a stack. */
export class Complaint extends Error {
  override readonly name = 'Complaint';
}

/** A sentence where there is one. A TypeError and its like is a bug of ours and needs its stack. */
export function explain(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return /^(Type|Range|Reference|Syntax)Error$/.test(error.name) ? (error.stack ?? error.message) : error.message;
}

export function codeOf(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;
}
