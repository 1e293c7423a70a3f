// A subject as shown in a list: the fallback of a token, or else the name of the property as a placeholder. Only more complex ones need the
// service. Pure.
import { tokensOf } from '../content/tokens.ts';

interface SubjectPart {
  /** Its position in the subject. */
  at: number;
  text: string;
  isValue: boolean;
}

/** Undefined: only the service can tell. */
export function subjectParts(subject: string): SubjectPart[] | undefined {
  const tokens = tokensOf(subject);
  const parts: SubjectPart[] = [];
  let at = 0;
  const add = (text: string, isValue: boolean) => {
    if (text !== '') parts.push({ at: parts.length, text, isValue });
  };
  for (const { from, to, name, fallback, isPlain } of tokens) {
    if (!isPlain) return undefined;
    add(subject.slice(at, from), false);
    if (fallback === undefined) add(name.replaceAll('_', ' '), true);
    else add(fallback, false);
    at = to;
  }
  add(subject.slice(at), false);
  return parts.some(({ text, isValue }) => !isValue && /\{\{|\{%/.test(text)) ? undefined : parts;
}
