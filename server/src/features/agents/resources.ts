// Resources: journeys, emails and lists by their ids, and the pages of the documentation.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import * as contract from '@rapport/contract';
import { ApiError, notFound } from '../../http/api-error.js';
import { isAssetId } from '../../lib/ids.js';
import { bounded } from './bound.js';
import { masked } from './mask.js';
import { findNearest, nearestOf } from './nearest.js';
import type { Session } from './tool.js';

export const resourceTemplates = [
  { uriTemplate: 'rapport://journeys/{id}', name: 'journey', title: 'A journey', mimeType: 'application/json' },
  { uriTemplate: 'rapport://emails/{id}', name: 'email', title: 'An email', mimeType: 'application/json' },
  {
    uriTemplate: 'rapport://lists/{id}',
    name: 'list',
    title: 'A static or dynamic list',
    mimeType: 'application/json',
  },
];

/** A page of the documentation, in parts that each fit into one answer. */
interface Page {
  name: string;
  title: string;
  parts: readonly string[];
}

// As seen from the sources and from the build.
const folder = new URL('../../../../docs/', import.meta.url);
const partBytes = 30_000;
let pages: readonly Page[] | undefined;

/** Read once. An installation without the folder has none. */
function docPages(): readonly Page[] {
  pages ??= readPages();
  return pages;
}

function readPages(): readonly Page[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .filter((file) => file.endsWith('.md'))
    .sort()
    .map((file) => {
      const text = readFileSync(new URL(file, folder), 'utf8');
      const name = file.replace(/\.md$/, '');
      return { name, title: /^# (.+)$/m.exec(text)?.[1] ?? name, parts: partsOf(text) };
    });
}

/** Cut between lines. */
function partsOf(text: string): string[] {
  const parts: string[] = [''];
  for (const line of text.split('\n')) {
    const last = parts.at(-1) ?? '';
    if (last !== '' && Buffer.byteLength(JSON.stringify(last)) + Buffer.byteLength(JSON.stringify(line)) > partBytes)
      parts.push(line);
    else parts[parts.length - 1] = last === '' ? line : `${last}\n${line}`;
  }
  return parts;
}

export function resourceList() {
  return docPages().map(({ name, title }) => ({
    ...{ uri: `rapport://docs/${name}`, name: `docs/${name}`, title, mimeType: 'text/markdown' },
  }));
}

interface Contents {
  uri: string;
  mimeType: string;
  text: string;
}

export async function readResource(uri: string, session: Session): Promise<Contents> {
  const [, kind = '', name = '', part = '1'] = /^rapport:\/\/(\w+)\/([\w-]+)(?:\?part=(\d{1,3}))?$/.exec(uri) ?? [];
  if (kind === 'docs') return readPage(uri, name, Number(part));
  const reader = readers[kind];
  if (!reader) throw notFound(`resource. Nearest: ${nearestUris(uri).join(', ')}`);
  const data = isAssetId(name) ? await readOrNothing(reader, session, name) : undefined;
  if (!data) {
    const near = await findNearest(reader.what, { [reader.key]: name }, session);
    const uris = near.map((each) => `rapport://${kind}/${Object.values(each)[0]} (“${each.name}”)`);
    throw notFound(`${reader.what}${uris.length > 0 ? `. Nearest: ${uris.join(', ')}` : ''}`);
  }
  const shown = bounded(session.scopes.has('people') ? data : masked(data), { isText: true, rest: reader.rest });
  return { uri, mimeType: 'application/json', text: JSON.stringify(shown) };
}

async function readOrNothing(
  { read }: Reader,
  session: Session,
  id: string,
): Promise<Record<string, unknown> | undefined> {
  try {
    return await read(session, id);
  } catch (error) {
    if (error instanceof ApiError && error.status === 404) return undefined;
    throw error;
  }
}

function readPage(uri: string, name: string, part: number): Contents {
  const page = docPages().find((each) => each.name === name);
  const text = page?.parts[part - 1];
  if (!page || text === undefined) throw notFound(`resource. Nearest: ${nearestUris(uri).join(', ')}`);
  const more =
    part < page.parts.length
      ? `\n\n(Part ${part} of ${page.parts.length}. Read rapport://docs/${name}?part=${part + 1} for the next.)`
      : '';
  return { uri, mimeType: 'text/markdown', text: text + more };
}

function nearestUris(uri: string): string[] {
  const known = [...resourceList().map((each) => each.uri), ...resourceTemplates.map((each) => each.uriTemplate)];
  return nearestOf(uri, known, (each) => [each]);
}

interface Reader {
  /** In the words of the API, and the argument of tools that names one. */
  what: string;
  key: string;
  read(session: Session, id: string): Promise<object & Record<string, unknown>>;
  /** How to get what does not fit. */
  rest: string;
}

const readers: Readonly<Record<string, Reader>> = {
  journeys: {
    ...{ what: 'journey', key: 'journeyId' },
    read: async ({ api }, id) => ({ ...(await api(contract.getJourney, { params: { id } })).data }),
    rest: 'The tool get_journey reads the rest, with stepsFrom.',
  },
  emails: {
    ...{ what: 'email', key: 'emailId' },
    read: async ({ api }, id) => ({ ...(await api(contract.getEmail, { params: { id } })).data }),
    rest: 'The tool get_email reads the rest, with htmlFrom or blocksFrom.',
  },
  lists: {
    ...{ what: 'list', key: 'dynamicListId' },
    read: async ({ api }, id) => {
      try {
        return { ...(await api(contract.getList, { params: { id } })).data };
      } catch {
        return { ...(await api(contract.getDynamicList, { params: { id } })).data };
      }
    },
    rest: 'The tool find_contacts takes the list as a filter: {"all":[{"dynamicListId":"…"}]}.',
  },
};
