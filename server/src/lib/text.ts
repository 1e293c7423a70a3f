/** Valid Unicode without NUL: what PostgreSQL can store and every reader can show. */
export function isSoundText(text: string): boolean {
  return !text.includes('\0') && text.isWellFormed();
}

function foldChar(char: string): string {
  const upper = char.toUpperCase();
  // 'ß' becomes two letters in upper case: it stays itself, as in Unicode's simple folding.
  if (upper.length > char.length) return char.toLowerCase();
  const lower = upper.toLowerCase();
  // Dotless i has its own upper case I; folding it to i would join two different letters.
  return char === 'ı' ? char : lower;
}

/**
 * Case folding for search, the same whatever the database's locale.
 * Character by character, because `toLowerCase` of a whole word treats a final sigma differently.
 */
export function foldCase(text: string): string {
  if (/^[\t\n\x20-\x7e]*$/.test(text)) return text.toLowerCase();
  let folded = '';
  for (const char of text) folded += foldChar(char);
  return folded;
}

/** An email address as it is stored and compared: trimmed, in lower case. */
export function normalizeEmail(text: string): string {
  return text.trim().toLowerCase();
}

/**
 * Whether the pattern matches the whole text: `*` is any text, including none, and `?` is one character. Only the last `*` is ever retried,
 * so the time is bounded by the product of both lengths.
 */
export function matchesWildcards(text: string, pattern: string): boolean {
  const [characters, wanted] = [[...text], [...pattern]];
  let [at, place] = [0, 0];
  let star: { at: number; place: number } | undefined;
  while (at < characters.length) {
    if (wanted[place] === '*') star = { at, place: ++place };
    else if (wanted[place] === '?' || wanted[place] === characters[at]) {
      at++;
      place++;
    } else if (star) {
      star = { at: star.at + 1, place: star.place };
      ({ at, place } = star);
    } else return false;
  }
  return wanted.slice(place).every((each) => each === '*');
}
