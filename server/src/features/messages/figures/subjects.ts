// What figures are about, as texts: a message counts for its tenant, its email, the language that it was sent in, its topic, its step, its split arms and its recipient's domain; a click
// also counts for its link. Parts that may contain any text come last.

export type Version = 'default' | 'personalized';

/** The fields of a message that decide which figures it counts in. */
export interface Countable {
  emailId: string;
  /** Null: not rendered yet, as far as is known. */
  version: Version | null;
  journeyId: string | null;
  stepId: string | null;
  /** The split arms taken on the way to it, by the split's step id. */
  arms: Readonly<Record<string, string>> | null;
  /** Null: not tried yet, as far as is known. */
  domain: string | null;
  /** The topic that it left with. */
  topicId: string | null;
  /** Null: the email's own. */
  language: string | null;
}

export function subjectsOf(message: Countable): string[] {
  const { emailId, version, journeyId, stepId, arms, domain, topicId, language } = message;
  const subjects = ['t', `e:${emailId}:${version ?? ''}`];
  if (journeyId !== null) subjects.push(`j:${journeyId}:${stepId ?? ''}:${emailId}`);
  if (journeyId !== null && arms !== null)
    for (const [splitId, arm] of Object.entries(arms)) subjects.push(`a:${journeyId}:${splitId}:${arm}`);
  if (domain !== null) subjects.push(`d:${domain}`);
  if (topicId !== null) subjects.push(subjectOfTopic(topicId));
  // Nothing for the email's own: that is the rest.
  if (language !== null) subjects.push(`g:${emailId}:${language}`);
  return subjects;
}

/** The tenant itself is `t`. */
export function subjectOfTopic(topicId: string): string {
  return `t:${topicId}`;
}

export function subjectOfLink(linkNo: number): string {
  return `l:${linkNo}`;
}

/** The parts of a subject by name. Those of a link are not in its text. */
export interface SubjectParts {
  emailId?: string;
  version?: Version | null;
  journeyId?: string;
  stepId?: string;
  arm?: string;
  domain?: string;
  topicId?: string;
  language?: string;
}

export function partsOf(subject: string): SubjectParts {
  const kind = subject[0];
  const rest = subject.slice(2);
  if (kind === 'd') return { domain: rest };
  if (kind === 't' && rest !== '') return { topicId: rest };
  if (kind !== 'e' && kind !== 'j' && kind !== 'a' && kind !== 'g') return {};
  const [first, second, last] = splitTwice(rest);
  if (kind === 'g') return { emailId: first, language: second };
  if (kind === 'e') return { emailId: first, version: second === '' ? null : (second as Version) };
  return kind === 'j'
    ? { journeyId: first, stepId: second, emailId: last }
    : { journeyId: first, stepId: second, arm: last };
}

/** Splits at the first two colons: the name after them may contain more. */
function splitTwice(text: string): [string, string, string] {
  const [first = '', second = ''] = text.split(':', 2);
  return [first, second, text.slice(first.length + second.length + 2)];
}
