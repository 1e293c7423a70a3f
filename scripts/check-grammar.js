// Operators, steps and providers are defined once, in contract/src/grammar/. Finds a second list of such words: four or more of them as the
// elements of an array, the members of a union or the arguments of a call, each by itself (`'is'`), wrapped (`Type.Literal('is')`), or as the name
// of a row (`{ name: 'is', … }`); and as the keys of an object or a type. A variable that declares its type, such as `Record<Provider, Reader>`, gives each
// word of the grammar something, so it is not a second list.
import { readdirSync, readFileSync } from 'node:fs';
import { parseSync } from 'rolldown/utils';
import * as contract from '../contract/dist/index.js';

const root = new URL('..', import.meta.url);
const fewest = 4;

/** The names of each table of the grammar, whatever shape it has. */
const tables = Object.entries(contract)
  .filter(([name]) => ['operators', 'stepTypes', 'providerNames'].includes(name))
  .map(([name, table]) => ({ name, words: new Set(Array.isArray(table) ? table : Object.keys(table)) }));

/** Where the parser keeps the parts of what may be a list. */
const partsOf = {
  ArrayExpression: 'elements',
  CallExpression: 'arguments',
  ObjectExpression: 'properties',
  TSInterfaceBody: 'body',
  TSTypeLiteral: 'members',
  TSUnionType: 'types',
};
const nameKeys = ['id', 'key', 'name', 'operator', 'provider', 'type', 'value'];

/** The word that a part of a list stands for, if any. */
function wordOf(part) {
  switch (part?.type) {
    case 'Literal':
      return part.value;
    case 'TSLiteralType':
      return wordOf(part.literal);
    case 'CallExpression':
      return wordOf(part.arguments[0]);
    case 'ArrayExpression':
      return wordOf(part.elements[0]);
    case 'Property':
    case 'TSPropertySignature':
      return part.computed ? undefined : keyOf(part);
    case 'ObjectExpression':
      return wordOf(part.properties.find((each) => nameKeys.includes(keyOf(each)))?.value);
    default:
      return undefined;
  }
}

const keyOf = ({ key }) => key?.name ?? key?.value;

/** Whether a variable's type says which keys its object has. */
function isTyped(node, parent) {
  return node.type === 'ObjectExpression' && (parent?.id?.typeAnnotation || parent?.type === 'TSSatisfiesExpression');
}

function* listsIn(node, parent) {
  const parts = partsOf[node.type];
  if (parts && !isTyped(node, parent)) yield { start: node.start, words: new Set(node[parts].map(wordOf)) };
  for (const child of Object.values(node).flat()) if (typeof child?.type === 'string') yield* listsIn(child, node);
}

const tableOf = (words) => tables.find((table) => [...words].filter((word) => table.words.has(word)).length >= fewest);

function faultsIn(path) {
  const text = readFileSync(new URL(path, root), 'utf8');
  // Few files have so many of these words. Only those are parsed.
  if (!tableOf(new Set(text.match(/\w+/g)))) return [];
  return [...listsIn(parseSync(path, text).program)].flatMap(({ start, words }) => {
    const table = tableOf(words);
    const line = text.slice(0, start).split('\n').length;
    return table ? [`${path}:${line}: a second list of ${table.name}. Take it from contract/src/grammar/.`] : [];
  });
}

const faults = ['server', 'console', 'contract', 'client', 'cli']
  .flatMap((workspace) =>
    readdirSync(new URL(`${workspace}/src`, root), { recursive: true }).map((name) => `${workspace}/src/${name}`),
  )
  .filter((path) => /\.tsx?$/.test(path) && !path.includes('grammar/') && !path.includes('.test.'))
  .flatMap(faultsIn);
for (const fault of faults) console.error(fault);
if (faults.length > 0) process.exitCode = 1;
