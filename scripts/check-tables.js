// Tables have owners. Reads the SQL texts of the server and reports a table that is named outside its owner's folder.
// An SQL text is a template after the tag `sql`, which is the only way to write SQL: see server/src/db/sql.ts.
import { readdirSync, readFileSync } from 'node:fs';
import { exceptions, owners } from './table-owners.js';

const root = new URL('..', import.meta.url);
const read = (path) => readFileSync(new URL(path, root), 'utf8');
const list = (path) => readdirSync(new URL(path, root), { recursive: true }).map(String).sort();

/** The names of tables that migrations make and do not drop. */
function tablesOf(migrations) {
  const names = migrations.flatMap((text) => [...text.matchAll(/^create table (?:if not exists )?(\w+)/gim)]);
  const dropped = migrations.flatMap((text) => [...text.matchAll(/^drop table (?:if exists )?(\w+)/gim)]);
  const gone = new Set(dropped.map(([, name]) => name));
  return new Set(names.map(([, name]) => name).filter((name) => !gone.has(name)));
}

/** Texts behind the tag, each with the line where it starts. A nested template counts by itself. */
function sqlTexts(source) {
  const texts = [];
  for (const { index } of source.matchAll(/\bsql(?=[`<])/g)) {
    const start = openingTick(source, index + 'sql'.length);
    if (start !== undefined) texts.push({ line: lineOf(source, index), text: templateAt(source, start).text });
  }
  return texts;
}

/** Behind the type of the row, which stands between the tag and its template. */
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

/** The template's own text; `?` stands for what is put in. */
function templateAt(source, start) {
  let text = '';
  for (let i = start + 1; i < source.length; i++) {
    if (source[i] === '`') return { text, end: i };
    if (source.startsWith('${', i)) {
      i = endOfValue(source, i + 2);
      text += ' ? ';
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

function lineOf(source, index) {
  return source.slice(0, index).split('\n').length;
}

/** Names where a table can stand. Those of the text's own `with` are no tables. */
function namesOf(text) {
  const plain = text
    .replace(/--.*$/gm, ' ')
    .replace(/'[^']*'/g, ' ? ')
    .toLowerCase();
  const own = new Set(
    [...plain.matchAll(/(\w+)\s*(?:\([\w\s,]*\))?\s+as\s+(?:not\s+)?(?:materialized\s*)?\(/g)].map(([, n]) => n),
  );
  const tokens = plain.match(/::|\w+|[^\s\w]/g) ?? [];
  const names = tokens.flatMap((token, i) => (opensTables(tokens, i) ? tablesFrom(tokens, i + 1) : []));
  return new Set(names.filter((name) => !own.has(name)));
}

function opensTables(tokens, i) {
  if (tokens[i] === 'from') return tokens[i - 1] !== 'distinct';
  if (tokens[i] === 'update') return tokens[i - 1] !== 'for' && tokens[i - 1] !== 'key' && tokens[i - 1] !== 'do';
  if (tokens[i] === 'like') return tokens[i - 1] === '(';
  return ['join', 'into', 'using', 'table', 'truncate', 'copy', 'view', '::'].includes(tokens[i]);
}

const ends = new Set([
  'where',
  'group',
  'order',
  'limit',
  'on',
  'set',
  'union',
  'values',
  'select',
  'returning',
  'for',
]);

/** The first name, and those behind commas, as in `from a, b as c`. */
function tablesFrom(tokens, from) {
  const names = [];
  let depth = 0;
  let isNext = true;
  for (let i = from; i < tokens.length; i++) {
    const token = tokens[i];
    if (token === '(') depth++;
    else if (token === ')' && depth-- === 0) break;
    else if (depth > 0) continue;
    else if (token === ',') isNext = true;
    else if (ends.has(token)) break;
    else if (isNext && !['only', 'lateral'].includes(token)) {
      names.push(token);
      isNext = false;
    }
    if (tokens[from - 1] === '::' || tokens[from - 1] === 'into') break;
  }
  return names;
}

/** The feature of a file, else its room or, in server/src itself, its name. */
function ownerOf(file) {
  const [room, feature] = file.replace(/\.ts$/, '').split('/');
  return room === 'features' ? feature : room;
}

function faultsOf(file, tables) {
  const who = ownerOf(file);
  return sqlTexts(read(`server/src/${file}`)).flatMap(({ line, text }) =>
    [...namesOf(text)]
      .filter((name) => tables.has(name) && owners[name] !== who)
      .map((name) => ({ file, name, who, line })),
  );
}

function main() {
  const migrations = list('server/migrations').map((file) => read(`server/migrations/${file}`));
  const tables = tablesOf(migrations);
  const files = list('server/src').filter((file) => file.endsWith('.ts') && !file.includes('.test.'));
  const faults = files.flatMap((file) => faultsOf(file, tables));
  const isAllowed = ({ file, name }) => exceptions[file]?.tables.includes(name);
  const idle = Object.entries(exceptions).flatMap(([file, { tables: names }]) =>
    names
      .filter((name) => !faults.some((fault) => fault.file === file && fault.name === name))
      .map((name) => [file, name]),
  );
  const complaints = [
    ...[...tables].filter((name) => !(name in owners)).map((name) => `Table ${name} has no owner.`),
    ...Object.keys(owners)
      .filter((name) => !tables.has(name))
      .map((name) => `${name} has an owner and is no table.`),
    ...idle.map(([file, name]) => `${file} does not need its exception for ${name}.`),
    ...faults
      .filter((fault) => !isAllowed(fault))
      .map(
        ({ file, line, name, who }) => `server/src/${file}:${line} ${who} names ${name}, a table of ${owners[name]}.`,
      ),
  ];
  for (const complaint of complaints) console.error(complaint);
  if (complaints.length > 0) process.exitCode = 1;
}

main();
