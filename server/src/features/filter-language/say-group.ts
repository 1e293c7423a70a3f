// Groups in words. A group inside another is in brackets, so precedence does not matter.
import { type Group, isGroup } from './tree.js';

type Tree<Part> = Group<Tree<Part>> | Part;

/** A clause without a full stop: `a, and (either b, or c)`. */
export function sayTree<Part extends { readonly kind: string }>(
  tree: Tree<Part>,
  sayPart: (part: Part) => string,
): string {
  if (!isGroup(tree)) return sayPart(tree as Part);
  const parts = tree.of.map((part) => sayInside(part, sayPart, tree.of.length === 1 && tree.kind !== 'none'));
  const [only = ''] = parts;
  switch (tree.kind) {
    case 'all':
      return parts.length === 0 ? always : parts.join(', and ');
    case 'any':
      if (parts.length === 0) return never;
      return parts.length === 1 ? only : `either ${parts.join(', or ')}`;
    case 'none':
      if (parts.length === 0) return always;
      return parts.length === 1 ? `it is not true that ${only}` : `none of these is true: ${parts.join('; ')}`;
  }
}
const always = 'anything matches';
const never = 'nothing matches';

function sayInside<Part extends { readonly kind: string }>(
  part: Tree<Part>,
  sayPart: (part: Part) => string,
  isAlone: boolean,
): string {
  const words = sayTree(part, sayPart);
  // A negation is long too: `it is not true that a, and b` would leave open how far it reaches.
  return isGroup(part) && !isAlone ? `(${words})` : words;
}
