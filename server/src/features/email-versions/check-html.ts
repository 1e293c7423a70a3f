// What a version's html may contain. It is never run as a template, so the rules are about text.
import { fieldReasons } from '@rapport/contract';

export const unsubscribeToken = '{{unsubscribe_url}}';
export const mostVersionBytes = 512_000;

/** Why the html is refused, if it is. */
export function faultOf(html: string): string | undefined {
  // Counted only if it can matter: a UTF-16 unit has at most three bytes.
  if (html.length * 3 > mostVersionBytes && Buffer.byteLength(html) > mostVersionBytes)
    return fieldReasons.bytes(mostVersionBytes);
  if (!html.includes(unsubscribeToken)) return `must contain ${unsubscribeToken}`;
  const other = findOtherToken(html);
  if (other < 0) return undefined;
  // Not its text: that may be about a person, and stays on the activity.
  const before = html.slice(0, other).split('\n');
  const column = (before.at(-1) as string).length + 1;
  return `must have no {{…}} other than ${unsubscribeToken}: see line ${before.length}, column ${column}`;
}

/** The texts of a version that contain something like a variable. They are sent literally, which is probably a mistake. */
export function literalTokens(version: { subject: string | null; preheader: string | null }) {
  const problems: { field: 'subject' | 'preheader'; line: number; column: number; message: string }[] = [];
  for (const field of ['subject', 'preheader'] as const) {
    const text = version[field] ?? '';
    const at = text.indexOf('{{');
    if (at < 0 || text.indexOf('}}', at + 2) < 0) continue;
    const before = text.slice(0, at).split('\n');
    const column = (before.at(-1) as string).length + 1;
    problems.push({ field, line: before.length, column, message: `${field} has {{…}}, which is sent as it is.` });
  }
  return problems;
}

/**
 * Where the first token is that is not the literal `{{unsubscribe_url}}`; -1 if there is none. The literal ones are removed first, as sending
 * does; then a `{{` with a `}}` somewhere after it is a token, and one without is not. Linear in the length of the text.
 */
export function findOtherToken(html: string): number {
  let open = -1;
  for (let start = 0; start <= html.length; ) {
    const next = html.indexOf(unsubscribeToken, start);
    const end = next < 0 ? html.length : next;
    const piece = html.slice(start, end);
    if (open < 0) {
      const at = piece.indexOf('{{');
      if (at >= 0) {
        open = start + at;
        if (piece.indexOf('}}', at + 2) >= 0) return open;
      }
    } else if (piece.includes('}}')) return open;
    if (next < 0) return -1;
    start = next + unsubscribeToken.length;
  }
  return -1;
}
