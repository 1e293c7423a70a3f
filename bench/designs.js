// How many designs of 60 blocks are compiled in a second: in the process that can be killed, there and back, and in this one. 15 a second are
// wanted. MJML was not taken as a dependency; what it did with the same blocks is in docs/decisions/0025-designs.md.
import { compileDesign } from '../server/dist/features/designs/index.js';
import { Renderer } from '../server/dist/features/emails/index.js';
import { median } from './processes.js';

const wanted = 15;
const rounds = 7;
const each = 200;

/** @typedef {import('@rapport/contract').Block} Block */

/** @param {number} i @returns {Block[]} */
const section = (i) => [
  { type: 'heading', level: 2, content: [{ type: 'paragraph', spans: [{ text: `Part ${i}: {{ & <` }] }] },
  {
    type: 'text',
    content: [
      {
        type: 'paragraph',
        spans: [
          { text: 'Hello ' },
          { variable: 'first_name', default: 'there' },
          { text: ', '.repeat(40), bold: true },
        ],
      },
      { type: 'bullet', spans: [{ text: 'A point', href: 'https://example.com/a' }] },
    ],
  },
  { type: 'button', label: 'Go', href: [{ text: 'https://example.com/?id=' }, { variable: 'plan' }] },
  {
    type: 'columns',
    columns: [
      { width: 50, blocks: [{ type: 'image', src: 'https://example.com/a.png', alt: 'A picture' }] },
      { width: 50, blocks: [{ type: 'text', content: [{ type: 'paragraph', spans: [{ text: 'Beside it.' }] }] }] },
    ],
  },
];
/** Ten times six blocks, and a footer. */
const design = /** @type {import('@rapport/contract').Design} */ ({
  version: 1,
  blocks: [...Array.from({ length: 10 }, (_, i) => section(i)).flat(), { type: 'footer', address: 'Berlin' }],
});
const known = { blocks: {}, files: {} };

/** @param {() => unknown} work */
async function perSecond(work) {
  const rates = [];
  for (let round = 0; round < rounds; round++) {
    const from = performance.now();
    for (let i = 0; i < each; i++) await work();
    rates.push((each * 1000) / (performance.now() - from));
  }
  return median(rates);
}

/** @param {(line: string) => void} say */
export async function bench(say) {
  const renderer = new Renderer();
  try {
    const bare = await perSecond(() => compileDesign(design, known, () => ({ ok: true, variables: [] })));
    const inProcess = await perSecond(() => renderer.compileDesign(1, design, known));
    const { html, size, problems } = await renderer.compileDesign(1, design, known);
    if (problems.length > 0 || !html) throw new Error(JSON.stringify(problems));
    say(`${Math.round(inProcess)} designs of 60 blocks a second, there and back (${Math.ceil(size / 1024)} KB each)`);
    say(`${Math.round(bare)} a second in this process`);
    say(`wanted: ${wanted} a second; reached ${Math.round(inProcess / wanted)} times that`);
    if (inProcess < wanted) process.exitCode = 1;
  } finally {
    await renderer.close();
  }
}
