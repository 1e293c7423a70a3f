// Designs that were looked at in Chromium, and texts that break layouts.
import type { Block, Design } from '@rapport/contract';
import { bullet, button, design, heading, numbered, p, text } from './words.js';

const picture = (width: number, height: number, colour: string) =>
  `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}"><rect width="100%" height="100%" fill="${colour}"/><circle cx="50%" cy="50%" r="30%" fill="#fff" fill-opacity=".35"/></svg>`;
const wide = 'https://pictures.test/wide.png';
const square = 'https://pictures.test/square.png';
/** What a browser gets for the pictures. */
export const pictures: Readonly<Record<string, string>> = {
  [wide]: picture(1072, 480, '#2456d6'),
  [square]: picture(400, 400, '#12826b'),
};

const long = 'x'.repeat(1000);
const arabic = 'مرحبا بالعالم، هذه رسالة تجريبية طويلة بما يكفي لتمتد على أكثر من سطر واحد.';
const emoji = '👩‍👩‍👧‍👦🏳️‍🌈🎉'.repeat(30);
const digits = Array.from({ length: 40 }, (_, i) => String(i % 10).repeat(8)).join(' ');

const card = (title: string, words: string, image = square): Block[] => [
  { type: 'image', src: image, alt: title },
  heading(title, 3),
  text(words),
];

export const announcement = design([
  { type: 'image', src: wide, alt: 'A new way to plan' },
  heading('Plans that make themselves'),
  text(
    p('Hi ', { variable: 'first_name', default: 'there' }, ','),
    p(
      'Starting today, ',
      { text: 'every workspace', bold: true },
      ' can plan a week in a minute. Here is what is new:',
    ),
    bullet('Drag work between people and see who is ', { text: 'free', italic: true }),
    bullet('Set a goal and let Plans find the way there'),
    bullet('Read ', { text: 'the guide', href: 'https://example.com/guide' }, ' to see how it works'),
  ),
  button('See what is new'),
  { type: 'divider' },
  heading('Also in this release', 2),
  {
    type: 'columns',
    columns: [
      { width: 50, blocks: card('Faster search', 'Results while you type, even in large workspaces.') },
      { width: 50, blocks: card('Dark mode', 'Easy on the eyes, on every screen that you use.') },
    ],
  },
  {
    type: 'social',
    links: [
      { network: 'linkedin', href: 'https://example.com/l' },
      { network: 'x', href: 'https://example.com/x' },
      { network: 'github', href: 'https://example.com/g' },
    ],
  },
]);

const columns = (count: 2 | 3 | 4, stack: boolean, words: string): Block => ({
  type: 'columns',
  stack,
  columns: Array.from({ length: count }, (_, i) => ({
    width: count === 3 ? ([33.33, 33.33, 33.34][i] as number) : 100 / count,
    blocks: [heading(`Column ${i + 1}`, 3), text(words), button('Go')],
  })),
});

const receipt = design([
  heading('Thanks for your order', 2),
  text('We have received your payment. Your receipt is below.'),
  {
    type: 'columns',
    stack: false,
    columns: [
      { width: 70, blocks: [text('Team plan, 12 seats'), text('Discount')] },
      {
        width: 30,
        blocks: [
          { type: 'text', align: 'right', content: [p('€ 144.00')] },
          { type: 'text', align: 'right', content: [p('− € 14.40')] },
        ],
      },
    ],
  },
  { type: 'divider', height: 9 },
  {
    type: 'columns',
    stack: false,
    columns: [
      { width: 70, blocks: [text(p({ text: 'Total', bold: true }))] },
      { width: 30, blocks: [{ type: 'text', align: 'right', content: [p({ text: '€ 129.60', bold: true })] }] },
    ],
  },
  { ...button('Download the invoice'), wide: true },
]);

export const gallery: Readonly<Record<string, Design>> = {
  announcement,
  receipt,
  letter: design(
    [
      text(
        p('Dear ', { variable: 'first_name', default: 'reader' }, ','),
        'I wanted to write to you myself.',
        'Yours,',
        p({ text: 'Grace', bold: true }),
      ),
    ],
    { font: 'serif', background: '#ffffff' },
  ),
  steps: design(
    [
      heading('Three steps to begin'),
      text(numbered('Invite your team'), numbered('Connect your calendar'), numbered('Plan the first week')),
      { ...button('Start'), align: 'center' },
    ],
    { button: '#12826b', radius: 24 },
  ),
  headings: design([
    heading('Level one'),
    heading('Level two', 2),
    heading('Level three', 3),
    text('Text below them.'),
  ]),
  aligned: design(
    (['left', 'center', 'right'] as const).flatMap((align): Block[] => [
      { type: 'heading', level: 2, content: [p(`To the ${align}`)], align },
      { type: 'text', content: [p('A paragraph that is aligned like its heading.')], align },
      { ...button('A button'), align },
      { type: 'image', src: square, alt: 'A square', width: 30, align },
    ]),
  ),
  'two columns': design([columns(2, true, 'Some words in a column.')]),
  'three columns': design([columns(3, true, 'Some words in a column.')]),
  'four columns': design([columns(4, true, 'Words.')]),
  'fixed columns': design([columns(2, false, 'Some words.'), columns(4, false, 'Words.')]),
  'narrow columns': design([columns(2, true, 'Words.')], { width: 320 }),
  'broad columns': design([columns(3, true, 'Some words in a column.')], { width: 800 }),
  'uneven columns': design([
    {
      type: 'columns',
      columns: [
        { width: 30, blocks: [{ type: 'image', src: square, alt: 'A square' }] },
        { width: 70, blocks: [heading('Beside a picture', 3), text('Words that explain what the picture shows.')] },
      ],
    },
  ]),
  'a thousand letters': design([
    heading(long),
    text(long),
    button(long),
    columns(4, true, long),
    columns(4, false, long),
  ]),
  'right to left': design(
    [heading(arabic), text(arabic, bullet(arabic)), button('اضغط هنا'), columns(2, true, arabic)],
    { lang: 'ar' },
  ),
  'both directions': design([heading(arabic), text(`Hello ${arabic} world`, arabic), columns(2, true, arabic)]),
  emoji: design([heading(emoji), text(emoji), button(emoji), columns(3, true, emoji)]),
  digits: design(
    [text(digits), { type: 'text', size: 12, content: [p(digits.replaceAll(' ', ''))] }, columns(2, true, digits)],
    { font: 'mono' },
  ),
  'dark brand': design(
    [
      heading('Made for the night'),
      text(p('With ', { text: 'a link', href: 'https://example.com' }, '.')),
      button('Come in'),
    ],
    {
      background: '#0b0d12',
      surface: '#161a22',
      text: '#e8eaf0',
      link: '#8ab4ff',
      button: '#8ab4ff',
      buttonText: '#0b0d12',
    },
  ),
  'own dark colours': design(
    [
      heading('Two palettes'),
      text(p({ text: 'A red word', color: '#b3261e' }, ' and ', { text: 'a link', href: 'https://example.com' })),
      button('Go'),
    ],
    {
      dark: {
        background: '#000000',
        surface: '#101010',
        text: '#f0f0f0',
        link: '#9ecbff',
        button: '#9ecbff',
        buttonText: '#000000',
      },
    },
  ),
  'every block': design([
    heading('Everything'),
    text(
      p(
        { text: 'Bold', bold: true },
        ' ',
        { text: 'italic', italic: true },
        ' ',
        { text: 'underlined', underline: true },
        ' ',
        { text: 'struck', strike: true },
        ' ',
        { text: 'coloured', color: '#8a1538' },
      ),
      bullet('One'),
      bullet('Two'),
      numbered('First'),
      numbered('Second'),
    ),
    { type: 'image', src: wide, alt: 'Wide', href: 'https://example.com' },
    { type: 'divider' },
    { type: 'spacer', height: 40 },
    { type: 'html', html: '<p style="margin:0">Written by hand for {{email}}.</p>' },
    {
      type: 'if',
      filter: { property: 'plan', is: 'pro' },
      blocks: [text('For those who pay.')],
      else: [text('For those who try.')],
    },
    {
      type: 'each',
      of: 'data.lines',
      blocks: [text(p({ variable: 'item.name' }, ': ', { variable: 'item.price', format: 'number' }))],
    },
    {
      type: 'social',
      links: [
        { network: 'website', href: 'https://example.com' },
        { network: 'mastodon', href: 'https://example.com/@us' },
      ],
    },
  ]),
};
