// The words of a refusal, and the readers of those words. An error item has a code, a message and a detail, and no room for more facts:
// a client that puts a refusal beside a field in words of its own reads it here, where changed words change the reader too.

/** What a field of a body can lack. A message says it as `name is required.` */
export const fieldReasons = {
  required: 'is required',
  characters: (least: number, most: number | string) => `must have ${least} to ${most} characters`,
  bytes: (most: number) => `must have at most ${most} bytes in UTF-8`,
};

export function sayField(field: string, reason: string): string {
  return `${field} ${reason}.`;
}

/** What a message says about the field that its detail names, such as `is required.`; nothing if it is about something else. */
export function reasonIn(message: string, field: string): string | undefined {
  return field !== '' && message.startsWith(`${field} `) ? message.slice(field.length + 1) : undefined;
}

export function saysRequired(reason: string): boolean {
  return reason.startsWith(`${fieldReasons.required}.`);
}

export function saysTooLong(reason: string): boolean {
  return /^must have (\d+ to \d+ characters|at most \d+ bytes in UTF-8)\./.test(reason);
}

/** A fault inside a filter or a definition: `filter.all[2].gt: a number is wanted`. */
export function sayFault(place: string, words: string): string {
  return `${place}: ${words}`;
}

/** The place and the words of such a fault. A key that is not a plain name is quoted in the place, and may have a colon. */
export function readFault(said: string): { place: string; words: string } | undefined {
  const [, place, words] = /^((?:[^:"]|"(?:[^"\\]|\\.)*")+): (.+)$/s.exec(said) ?? [];
  return place && words ? { place, words } : undefined;
}

/** A variable as messages write it. */
export function sayVariable(name: string): string {
  return `{{${name}}}`;
}

/** The variables that a message writes, each once. */
export function variablesIn(message: string): string[] {
  return [...new Set(message.match(/\{\{[^}]*\}\}/g))];
}
