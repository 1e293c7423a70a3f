// Tables have owners: see table-owners.js. Reads the SQL texts of the server and reports a table that is named outside its owner's
// folder, and one that is written through the name that its owner exports. An SQL text is a template with the tag `sql`, the only way to
// write SQL: see server/src/db/sql.ts.
import { readdirSync, readFileSync } from 'node:fs';
import { reads, tables } from './table-owners.js';

const root = new URL('..', import.meta.url);
const read = (path) => readFileSync(new URL(path, root), 'utf8');
const list = (path) => readdirSync(new URL(path, root), { recursive: true }).map(String).sort();
const owned = Object.entries(tables).flatMap(([owner, names]) => names.map((name) => ({ owner, name })));
const ownerOf = (table) => owned.find(({ name }) => name === table)?.owner;

/** The tables that migrations create and do not drop. */
function tablesOf(migrations) {
  const named = (pattern) => migrations.flatMap((text) => [...text.matchAll(pattern)].map(([, name]) => name));
  const gone = named(/^drop table (?:if exists )?(\w+)/gim);
  return named(/^create (?:(?:unlogged )?table|view) (?:if not exists )?(\w+)/gim).filter(
    (name) => !gone.includes(name),
  );
}

/** Texts with the tag, each with its line. A template inside another counts separately. */
function sqlTexts(source) {
  return [...source.matchAll(/\bsql(?=[`<])/g)].flatMap(({ index }) => {
    const start = openingTick(source, index + 'sql'.length);
    if (start === undefined) return [];
    return [{ line: source.slice(0, index).split('\n').length, text: templateAt(source, start).text }];
  });
}

/** The row type may be between the tag and its template. */
function openingTick(source, from) {
  let depth = 0;
  for (let i = from; i < source.length; i++) {
    if (source[i] === '`') return depth === 0 ? i : undefined;
    if (source[i] === '<') depth++;
    else if (source[i] === '>' && source[i - 1] !== '=') depth--;
    else if (depth === 0) return undefined;
  }
  return undefined;
}

/** The template's own text. A value becomes `$name` if it is a name, else `?`. */
function templateAt(source, start) {
  let text = '';
  for (let i = start + 1; i < source.length; i++) {
    if (source[i] === '`') return { text, end: i };
    if (source[i] === '$' && source[i + 1] === '{') {
      const end = endOfValue(source, i + 2);
      const value = source.slice(i + 2, end);
      text += /^\w+$/.test(value) ? ` $${value} ` : ' ? ';
      i = end;
    } else text += source[i];
  }
  throw new Error('A template without an end.');
}

function endOfValue(source, from) {
  let depth = 0;
  for (let i = from; i < source.length; i++) {
    const char = source[i];
    if (char === '`') i = templateAt(source, i).end;
    else if (char === "'") i = source.indexOf("'", i + 1);
    else if (char === '{') depth++;
    else if (char === '}' && depth-- === 0) return i;
  }
  throw new Error('A value without an end.');
}

/** The names in a text at positions of tables, and whether each is only read. Names from its own `with` are not tables. */
function namesOf(text) {
  const plain = text.replace(/--.*$/gm, ' ').replace(/'[^']*'/g, ' ? ');
  const own = [...plain.matchAll(/(\w+)\s*(?:\([\w\s,]*\))?\s+as\s+(?:not\s+)?(?:materialized\s*)?\(/gi)].map(
    ([, n]) => n,
  );
  const tokens = plain.match(/::|\$?\w+|[^\s\w]/g) ?? [];
  // A fragment that is only a name stands for the table wherever it is used.
  if (tokens.length === 1) return [{ name: tokens[0], isRead: true }];
  return tokens
    .flatMap((_, i) => (opensTables(tokens, i) ? tablesFrom(tokens, i) : []))
    .filter(({ name }) => !own.includes(name));
}

function opensTables(tokens, i) {
  const before = tokens[i - 1];
  if (tokens[i] === 'from') return before !== 'distinct';
  if (tokens[i] === 'update') return !['for', 'key', 'do'].includes(before);
  if (tokens[i] === 'using') return tokens[i + 1] !== '(';
  if (tokens[i] === 'like') return before === '(';
  return ['join', 'into', 'table', 'truncate', 'copy', 'view', '::'].includes(tokens[i]);
}

const ends = ['where', 'group', 'order', 'limit', 'on', 'set', 'union', 'values', 'select', 'returning', 'for'];

/** The first name after the keyword, and those after commas, as in `from a, b as c`. */
function tablesFrom(tokens, at) {
  const isRead = ['from', 'join', 'using', 'like', 'view'].includes(tokens[at]) && tokens[at - 1] !== 'delete';
  const isSingle = !['from', 'using'].includes(tokens[at]);
  const names = [];
  let depth = 0;
  let isNext = true;
  for (const token of tokens.slice(at + 1)) {
    if (token === '(') depth++;
    else if (token === ')' && depth-- === 0) break;
    else if (depth > 0) continue;
    else if (token === ',') isNext = true;
    else if (ends.includes(token)) break;
    else if (isNext && !['only', 'lateral', 'exists', 'if', 'not'].includes(token)) {
      names.push({ name: token, isRead });
      isNext = false;
      if (isSingle) break;
    }
  }
  return names;
}

/** The feature of a file, else its room. */
function whose(file) {
  const [room, feature] = file.split('/');
  return room === 'features' ? feature : room;
}

function faultsOf(file, known) {
  const who = whose(file);
  return sqlTexts(read(`server/src/${file}`)).flatMap(({ line, text }) =>
    namesOf(text).flatMap(({ name, isRead }) => {
      const place = `server/src/${file}:${line} ${who}`;
      if (/^\$\w+Table$/.test(name) && !isRead)
        return `${place} writes by the name ${name.slice(1)}, which its owner exports for reading.`;
      if (!known.includes(name) || ownerOf(name) === who || (isRead && reads[who]?.includes(name))) return [];
      return `${place} names ${name}, a table of ${ownerOf(name)}.`;
    }),
  );
}

const known = tablesOf(list('server/migrations').map((file) => read(`server/migrations/${file}`)));
const files = list('server/src').filter((file) => file.endsWith('.ts') && !file.includes('.test.'));
const complaints = [
  ...known.filter((name) => ownerOf(name) === undefined).map((name) => `Table ${name} has no owner.`),
  ...owned.flatMap(({ owner, name }, i) => {
    if (!known.includes(name)) return `${owner} owns ${name}, which is no table.`;
    return owned.findIndex((each) => each.name === name) === i ? [] : `Table ${name} has a second owner, ${owner}.`;
  }),
  ...files.flatMap((file) => faultsOf(file, known)),
];
for (const complaint of complaints) console.error(complaint);
if (complaints.length > 0) process.exitCode = 1;
