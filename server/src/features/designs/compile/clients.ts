import { unseenPictures, unseenStyles, unseenTags } from './clients-data.js';

interface Seen {
  /** The names of elements. */
  readonly tags?: Iterable<string>;
  /** Declarations: `display:flex`. */
  readonly styles?: readonly string[];
  /** The address of a picture. */
  readonly picture?: string;
}

/** What big mail clients do not show of this, a sentence for each client. */
export function unseenOf({ tags = [], styles = [], picture }: Seen): string[] {
  const byClient = new Map<string, Set<string>>();
  const miss = (clients: readonly string[] | undefined, what: string) => {
    for (const client of clients ?? []) byClient.set(client, (byClient.get(client) ?? new Set()).add(what));
  };
  for (const tag of tags) if (Object.hasOwn(unseenTags, tag)) miss(unseenTags[tag], `<${tag}>`);
  for (const style of styles) {
    const [property = '', value = ''] = style.split(':', 2).map((part) => part.trim().toLowerCase());
    for (const name of [
      property,
      `${property}:${value}`,
      ...(value.match(/[a-z-]+(?=\()/g) ?? []).map((it) => `${it}()`),
    ])
      if (Object.hasOwn(unseenStyles, name)) miss(unseenStyles[name], name);
  }
  const kind = picture && kindOf(picture);
  if (kind && Object.hasOwn(unseenPictures, kind)) miss(unseenPictures[kind], `pictures of the kind ${kind}`);
  return [...byClient].map(([client, what]) => `${client} does not show ${[...what].sort().join(', ')}`);
}

function kindOf(address: string): string | undefined {
  return /\.([a-z0-9]+)(?:[?#]|$)/i.exec(address)?.[1]?.toLowerCase();
}
