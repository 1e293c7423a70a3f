// Operators, steps and providers are defined once, in contract/src/grammar/. Finds a second list of such words: four or
// more in a row, as an array or as a union of types. A table that maps each of them to something is typed by the grammar, so it is not a second list.
import { readdirSync, readFileSync } from 'node:fs';
import * as contract from '../contract/dist/index.js';

const root = new URL('..', import.meta.url);

const fewest = 4;
const string = /'([A-Za-z]+)'/g;
const row = /'[A-Za-z]+'(?:\s*[,|]\s*'[A-Za-z]+'){3,}/g;

/** The names of each table of the grammar, whatever shape it has. */
const tables = Object.entries(contract)
  .filter(([name]) => ['operators', 'stepTypes', 'providerNames'].includes(name))
  .map(([name, table]) => ({ name, words: new Set(Array.isArray(table) ? table : Object.keys(table)) }));

const faults = ['server', 'console', 'contract', 'client', 'cli']
  .flatMap((workspace) => filesIn(`${workspace}/src`))
  .filter((path) => /\.tsx?$/.test(path) && !path.includes('grammar/') && !path.includes('.test.'))
  .flatMap(faultsIn);
for (const fault of faults) console.error(fault);
process.exitCode = faults.length === 0 ? 0 : 1;

/** @param {string} folder */
function filesIn(folder) {
  return readdirSync(new URL(folder, root), { recursive: true }).map((name) => `${folder}/${name}`);
}

/** @param {string} path */
function faultsIn(path) {
  const text = readFileSync(new URL(path, root), 'utf8');
  return [...text.matchAll(row)].flatMap(({ 0: list, index }) => {
    const words = [...list.matchAll(string)].map(([, word]) => word);
    const table = tables.find(({ words: known }) => words.filter((word) => known.has(word)).length >= fewest);
    const line = text.slice(0, index).split('\n').length;
    return table ? [`${path}:${line}: a second list of ${table.name}. Take it from contract/src/grammar/.`] : [];
  });
}
