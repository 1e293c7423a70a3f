// One example of every kind of block, for the pictures in docs/emails.md.

/** @typedef {import('@rapport/contract').Block} Block */

export const picture = 'https://example.com/picture.png';
export const pictureSvg = `<svg xmlns="http://www.w3.org/2000/svg" width="952" height="360">
<rect width="952" height="360" fill="#dbe6fb"/><circle cx="730" cy="120" r="56" fill="#f6c667"/>
<path d="M0 300 L210 130 L390 270 L560 150 L952 330 V360 H0 Z" fill="#5b82d6"/><path d="M0 340 L300 220 L620 330 L952 250 V360 H0 Z" fill="#2f55b0"/></svg>`;
export const exampleData = {
  lines: [
    { name: 'Team plan, 12 seats', price: '€108.00' },
    { name: 'Workshop', price: '€120.00' },
  ],
};
const savedId = '019a8b2c4d5e6f708192a3b9';

/** @param {...import('@rapport/contract').ContentSpan} spans @returns {import('@rapport/contract').ContentItem} */
const p = (...spans) => ({ type: 'paragraph', spans });
/** @param {string} words @returns {Block} */
const text = (words) => ({ type: 'text', content: [p({ text: words })] });
/** @param {string} words @returns {Block} */
const heading = (words) => ({ type: 'heading', level: 3, content: [p({ text: words })] });

/** @type {Readonly<Record<string, Block[]>>} */
export const savedExample = {
  [savedId]: [heading('Need a hand?'), text('Reply to this email. A person answers within a day.')],
};

/** @type {Readonly<Record<Block['type'], Block[]>>} */
export const blockExamples = {
  heading: [
    { type: 'heading', level: 1, content: [p({ text: 'Welcome, ' }, { variable: 'first_name', default: 'friend' })] },
    { type: 'heading', level: 2, content: [p({ text: 'What is new' })] },
    heading('For your team'),
  ],
  text: [
    {
      type: 'text',
      content: [
        p(
          { text: 'Words can be ' },
          { text: 'bold', bold: true },
          { text: ', ' },
          { text: 'italic', italic: true },
          { text: ' or ' },
          { text: 'a link', href: 'https://example.com' },
          { text: '. Hello ' },
          { variable: 'first_name', default: 'there' },
          { text: '.' },
        ),
        { type: 'bullet', spans: [{ text: 'One point' }] },
        { type: 'bullet', spans: [{ text: 'Another point' }] },
        { type: 'number', spans: [{ text: 'First step' }] },
        { type: 'number', spans: [{ text: 'Second step' }] },
      ],
    },
  ],
  button: [
    { type: 'button', label: 'Get started', href: 'https://example.com/start' },
    { type: 'button', label: 'As wide as the email', href: 'https://example.com/start', wide: true },
  ],
  image: [{ type: 'image', src: picture, alt: 'Hills under a morning sun' }],
  columns: [
    {
      type: 'columns',
      columns: [
        { width: 50, blocks: [heading('Faster search'), text('Results appear while you type.')] },
        { width: 50, blocks: [heading('Calendar sync'), text('Deadlines where you look anyway.')] },
      ],
    },
  ],
  divider: [text('Above the line.'), { type: 'divider' }, text('Below the line.')],
  spacer: [text('Above the room.'), { type: 'spacer', height: 48 }, text('Below it.')],
  social: [
    {
      type: 'social',
      links: [
        { network: 'linkedin', href: 'https://example.com/linkedin' },
        { network: 'bluesky', href: 'https://example.com/bluesky' },
        { network: 'github', href: 'https://example.com/github' },
      ],
    },
  ],
  html: [
    {
      type: 'html',
      html: '<p style="border-left:4px solid #2456d6;margin:0;padding:8px 16px">Written by hand for {{ first_name | default: "you" | upcase }}.</p>',
    },
  ],
  footer: [
    {
      type: 'footer',
      address: 'Example Ltd, 1 High Street, London',
      content: [p({ text: 'You get this email because you have an account.' })],
    },
  ],
  saved: [{ type: 'saved', blockId: savedId }],
  if: [
    {
      type: 'if',
      filter: { property: 'plan', is: 'pro' },
      blocks: [text('Shown to contacts whose plan is pro.')],
      else: [text('Shown to the others.')],
    },
  ],
  each: [
    {
      type: 'each',
      of: 'data.lines',
      blocks: [
        {
          type: 'columns',
          stack: false,
          columns: [
            { width: 70, blocks: [{ type: 'text', content: [p({ variable: 'item.name' })] }] },
            { width: 30, blocks: [{ type: 'text', align: 'right', content: [p({ variable: 'item.price' })] }] },
          ],
        },
      ],
    },
  ],
};
