// "why did ada not get welcome": a question typed into the search. Pure.

interface AskedWhy {
  who: string;
  /** Empty: not given yet. */
  what: string;
}

// The words of a sentence besides the two names.
const filler = new Set(
  "did didn't didnt does doesn't is isn't was wasn't not get got getting enter entered in the a an this".split(' '),
);

/** Undefined if it is not such a question. The first significant word is the person, the others are the thing. */
export function askedWhy(text: string): AskedWhy | undefined {
  const [first, ...words] = text
    .trim()
    .split(/\s+/)
    .map((word) => word.replace(/[?“”"…]/g, ''));
  if (first?.toLowerCase() !== 'why') return undefined;
  const [who = '', ...what] = words.filter((word) => word !== '' && !filler.has(word.toLowerCase()));
  return { who, what: what.join(' ') };
}
