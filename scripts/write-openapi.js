// Writes openapi.json from the built contract; with --check it only says whether the committed file is up to date.
import { readFileSync, writeFileSync } from 'node:fs';
import { buildOpenApi } from '../contract/dist/index.js';

const file = new URL('../openapi.json', import.meta.url);
const text = `${JSON.stringify(buildOpenApi('v2', 'http://127.0.0.1:8080'), null, 2)}\n`;

if (!process.argv.includes('--check')) {
  writeFileSync(file, text);
} else if (readCommitted() !== text) {
  console.error('openapi.json differs from the contract. Run `npm run openapi` and commit the result.');
  process.exitCode = 1;
}

function readCommitted() {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    if (error.code === 'ENOENT') return '';
    throw error;
  }
}
