// What is wrong with a block that a person wrote in HTML. It is taken as it is, so most of this is advice.
import { designLimits, type ProblemSeverity } from '@rapport/contract';
import type { KnownFiles } from '../html/blocks.js';
import { unseenOf } from './clients.js';

/** Reads a text as Liquid: what is wrong with it, or the variables that it uses. */
export type ReadTemplate = (
  text: string,
) => { ok: true; variables: readonly { name: string; shown: string }[] } | { ok: false; message: string };

interface CheckedHtml {
  readonly problems: { severity: ProblemSeverity; message: string }[];
  readonly variables: readonly { name: string; shown: string }[];
}

export function checkHtmlBlock(html: string, files: KnownFiles, readTemplate: ReadTemplate): CheckedHtml {
  const problems: CheckedHtml['problems'] = [];
  const read = readTemplate(html);
  if (!read.ok) problems.push({ severity: 'error', message: `is not a valid template: ${read.message}` });
  if (filesIn(html).some((address) => Object.hasOwn(files, address) && files[address] === null))
    problems.push({ severity: 'error', message: 'it shows a file that no longer exists' });
  const warn = (message: string) => void problems.push({ severity: 'warning', message });
  const elements = tagsOf(html);
  const names = new Set(elements.map(({ name }) => name));
  if (names.has('script') || elements.some(({ rest }) => /[\s"'/]on[a-z]+\s*=|javascript:/i.test(rest)))
    warn('mail clients remove scripts');
  if (elements.some(({ name, rest }) => name === 'img' && !/\salt(?=[\s=/]|$)/i.test(unquoted(rest))))
    warn('a picture has no alt');
  const styles = [...elements.flatMap(({ rest }) => styleOf(rest)), ...sheetsIn(html)];
  for (const message of unseenOf({ tags: names, styles })) warn(message);
  for (const { name, rest } of elements) {
    const src = name === 'img' ? attribute(rest, 'src') : undefined;
    if (src !== undefined) for (const message of unseenOf({ picture: src })) warn(message);
    if (src !== undefined && Object.hasOwn(files, src)) for (const message of heavy(files[src])) warn(message);
  }
  return { problems, variables: read.ok ? read.variables : [] };
}

function heavy(file: KnownFiles[string] | undefined): string[] {
  const { pictureWidth, pictureBytes } = designLimits;
  return [
    ...(file && file.width > pictureWidth
      ? [`a picture is ${file.width} pixels wide; more than ${pictureWidth} only makes it slow`]
      : []),
    ...(file && file.bytes > pictureBytes
      ? [`a picture has ${(file.bytes / 1e6).toFixed(1)} MB; more than 1 MB is slow to load`]
      : []),
  ];
}

// A name, then quoted values and everything else up to the end. Each branch begins differently, so this takes linear time.
const tags = /<([a-z][a-z0-9:-]*)((?:"[^"]*"|'[^']*'|[^"'<>])*)>/gi;

function tagsOf(html: string): { name: string; rest: string }[] {
  return [...withoutComments(html).matchAll(tags)].map(([, name = '', rest = '']) => ({
    name: name.toLowerCase(),
    rest,
  }));
}

/** Linear, however many comments are left open. */
function withoutComments(html: string): string {
  const [first = '', ...rest] = html.split('<!--');
  const after = rest.map((part) => {
    const end = part.indexOf('-->');
    return end < 0 ? '' : part.slice(end + 3);
  });
  return first + after.join('');
}

function unquoted(attributes: string): string {
  return attributes.replace(/"[^"]*"|'[^']*'/g, '""');
}

function attribute(attributes: string, name: string): string | undefined {
  const found = new RegExp(`\\s${name}\\s*=\\s*(?:"([^"]*)"|'([^']*)'|([^\\s"'>]+))`, 'i').exec(attributes);
  return found?.[1] ?? found?.[2] ?? found?.[3];
}

function styleOf(attributes: string): string[] {
  return (attribute(attributes, 'style') ?? '').split(';').filter((part) => part.includes(':'));
}

/** The declarations of style sheets, at-rules too. */
function sheetsIn(html: string): string[] {
  const sheets = html
    .split(/<style/i)
    .slice(1)
    .map((part) => part.split(/<\/style/i, 1)[0] as string);
  return sheets.flatMap((css) => [
    ...(css.match(/@[a-z-]+/gi) ?? []),
    ...[...css.matchAll(/[{;]([^{};]+)/g)]
      .map(([, declaration = '']) => declaration.trim())
      .filter((it) => /^[a-z-]+\s*:/i.test(it)),
  ]);
}

// Up to the last file in a word. A word is searched from its start alone: from each of its letters would take the square of its length.
const fileAddress = /^.*\/files\/[\w-]+\.(?:png|jpe?g|gif|webp)/is;

/** Addresses in a text that may be those of files. */
export function filesIn(html: string): string[] {
  return html
    .split(/[\s"'()<>]+/)
    .flatMap((word) => (word.includes('/files/') ? (fileAddress.exec(word)?.[0] ?? []) : []));
}
