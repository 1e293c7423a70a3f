// Designs of emails, saved blocks that designs share, and compiling without saving.
import { Type } from 'typebox';
import { type Block, blockKinds, type Design, type DesignTheme } from './grammar/design.js';
import { paging } from './params.js';
import { onlyV2, route } from './route.js';
import { AssetId, Count, Instant, Named, Text, Words } from './schema.js';

const shownBlock = {
  title: 'Block',
  type: 'object',
  required: ['type'],
  properties: { type: { type: 'string', enum: Object.keys(blockKinds) } },
  additionalProperties: true,
  description: 'A block. Its `type` decides which other fields it has: see docs/designs.md.',
};
const shownTheme = {
  type: 'object',
  additionalProperties: true,
  description: 'Width, colors and font; all optional.',
};
const shownDesign = {
  title: 'Design',
  type: 'object',
  required: ['version', 'blocks'],
  properties: {
    version: { type: 'integer', const: 1 },
    theme: shownTheme,
    blocks: { type: 'array', items: shownBlock },
  },
  additionalProperties: true,
  description: 'An email made of blocks: 1 to 200 blocks in all, at most 256 KiB of JSON.',
};

/** A design in an answer. */
export const StoredDesign = Type.Unsafe<Design | null>({
  type: ['object', 'null'],
  additionalProperties: true,
  shownAs: { ...shownDesign, type: ['object', 'null'] },
});

/** A design in a body. The compiler checks it, and names the place of what is wrong. */
export const GivenDesign = Type.Unknown({ checkedLater: true, shownAs: shownDesign });
/** The same, where null ends a design. */
export const GivenDesignOrNull = Type.Unknown({
  checkedLater: true,
  shownAs: { ...shownDesign, type: ['object', 'null'] },
});
/** The theme of a workspace; null: none. */
export const StoredTheme = Type.Unsafe<DesignTheme | null>({
  type: ['object', 'null'],
  additionalProperties: true,
  shownAs: { ...shownTheme, type: ['object', 'null'] },
});
export const GivenTheme = Type.Unknown({ checkedLater: true, shownAs: { ...shownTheme, type: ['object', 'null'] } });
const GivenBlocks = Type.Unknown({ checkedLater: true, shownAs: { type: 'array', items: shownBlock } });

const StoredBlocks = Type.Unsafe<Block[]>({
  ...{ type: 'array', items: { type: 'object', additionalProperties: true } },
  shownAs: { type: 'array', items: shownBlock },
});
const SavedBlock = Named('SavedBlock', {
  blockId: AssetId(),
  name: Type.String(),
  blocks: StoredBlocks,
  usedBy: Count('How many emails use it, through other saved blocks too.'),
  createdAt: Instant,
  updatedAt: Instant,
});

const blockId = '019a8b2c4d5e6f708192a3b9';
const footer = { type: 'footer', address: 'Example Ltd, 1 High Street, London' };
const exampleDesign = {
  version: 1,
  theme: { button: '#2148b8' },
  blocks: [
    { type: 'heading', level: 1, content: [{ type: 'paragraph', spans: [{ text: 'Welcome' }] }] },
    {
      type: 'text',
      content: [
        {
          type: 'paragraph',
          spans: [{ text: 'Hello ' }, { variable: 'first_name', default: 'friend' }, { text: ', good to have you.' }],
        },
      ],
    },
    { type: 'button', label: 'Get started', href: 'https://example.com/start' },
    footer,
  ],
};
const exampleBlock = {
  ...{ blockId, name: 'Footer', blocks: [footer], usedBy: 7 },
  ...{ createdAt: '2026-11-15T09:30:00.000Z', updatedAt: '2026-11-15T09:30:00.000Z' },
};
const tag = 'Emails';
const pathParams = { blockId: 'Saved block id, 24 hex digits.' };

export const compileEmail = route({
  id: 'compileEmail',
  tag,
  method: 'POST',
  path: '/emails/compile',
  versions: onlyV2,
  scope: 'READ',
  summary: 'Compile a design without saving it',
  description:
    'Answers 200 even if the design has faults: `problems` lists each with its place. A design with an `error` cannot be saved. `html` and `text` are Liquid templates; `text` is what is sent as the text part.',
  body: Named('CompileInput', {
    design: GivenDesign,
    language: Type.Optional(
      Type.String({
        description: 'The language tag that it is a translation for. A theme without `lang` has this one.',
      }),
    ),
  }),
  data: Named('CompiledDesign', {
    html: Type.String({ description: 'Empty where the design cannot be read.' }),
    text: Type.String(),
    size: Count('Bytes of the html. Gmail cuts off mail of more than 102 KiB.'),
    problems: Type.Array(
      Named('DesignProblem', {
        place: Type.String({ description: 'Such as `design.blocks[3].href`.' }),
        severity: Words(['error', 'warning']),
        message: Type.String(),
      }),
    ),
  }),
  paged: false,
  errors: [],
  example: {
    body: { design: exampleDesign },
    data: {
      html: '<!doctype html><html lang="en" dir="ltr">…</html>',
      text: 'Welcome\n\nHello {{ first_name | default: "friend" }}, good to have you.\n',
      size: 9412,
      problems: [
        { place: 'design.theme.button', severity: 'warning', message: 'the contrast of the text on it is below 4.5' },
      ],
    },
  },
});

export const listBlocks = route({
  id: 'listBlocks',
  tag,
  method: 'GET',
  path: '/blocks',
  versions: onlyV2,
  summary: 'List saved blocks',
  description: 'Newest first.',
  query: paging,
  snakeCase: true,
  data: SavedBlock,
  paged: true,
  errors: [],
  example: { data: [exampleBlock] },
});

export const createBlock = route({
  id: 'createBlock',
  tag,
  method: 'POST',
  path: '/blocks',
  versions: onlyV2,
  summary: 'Save blocks to use in several emails',
  description: 'A block of the type `saved` in a design refers to them by `blockId`.',
  body: Named('SavedBlockInput', { name: Text(255), blocks: GivenBlocks }),
  data: SavedBlock,
  paged: false,
  errors: [],
  example: { body: { name: 'Footer', blocks: [footer] }, data: { ...exampleBlock, usedBy: 0 } },
});

export const getBlock = route({
  id: 'getBlock',
  tag,
  method: 'GET',
  path: '/blocks/{blockId}',
  versions: onlyV2,
  summary: 'Read a saved block',
  pathParams,
  data: SavedBlock,
  paged: false,
  errors: ['NOT_FOUND'],
  example: { path: { blockId }, data: exampleBlock },
});

export const updateBlock = route({
  id: 'updateBlock',
  tag,
  method: 'PATCH',
  path: '/blocks/{blockId}',
  versions: onlyV2,
  summary: 'Change a saved block',
  description:
    'Every email that uses it is compiled again at once and gets a new revision; `usedBy` says how many. A change that would break one of them, or that puts the block into itself, is a 400 and changes nothing.',
  pathParams,
  body: Named('SavedBlockPatch', { name: Type.Optional(Text(255)), blocks: Type.Optional(GivenBlocks) }),
  data: SavedBlock,
  paged: false,
  errors: ['NOT_FOUND'],
  example: { path: { blockId }, body: { name: 'Footer' }, data: exampleBlock },
});

export const deleteBlock = route({
  id: 'deleteBlock',
  tag,
  method: 'DELETE',
  path: '/blocks/{blockId}',
  versions: onlyV2,
  summary: 'Delete a saved block',
  description: 'Refused while an email or another saved block uses it.',
  pathParams,
  data: Named('DeletedBlock', { blockId: AssetId(), success: Type.Boolean() }),
  paged: false,
  errors: ['NOT_FOUND', 'INVALID_STATE'],
  example: { path: { blockId }, data: { blockId, success: true } },
});

export const designRoutes = [compileEmail, listBlocks, createBlock, getBlock, updateBlock, deleteBlock] as const;
