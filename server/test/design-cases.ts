import type { Things } from './tenant-things.js';

const onBlock = [(of: Things) => ({ path: { blockId: of.blockId } })];

/** As in route-cases.ts. */
export const designCases = {
  ...{ compileEmail: [], listBlocks: [], getBlock: onBlock, deleteBlock: onBlock },
  getEmailTexts: [(of: Things) => ({ path: { id: of.emailId }, query: { language: 'de' } })],
  putEmailTexts: [(of: Things) => ({ path: { id: of.emailId }, body: { language: 'de', texts: [] } })],
  createBlock: [(of: Things) => ({ body: { name: 'x', blocks: [{ type: 'saved', blockId: of.blockId }] } })],
  updateBlock: [
    (of: Things) => ({ path: { blockId: of.blockId }, body: { name: 'x' } }),
    (of: Things, own: Things) => ({
      path: { blockId: own.blockId },
      body: { blocks: [{ type: 'saved', blockId: of.blockId }] },
    }),
  ],
  ...{ listFiles: [], createFile: [], deleteFile: [(of: Things) => ({ path: { fileId: of.fileId } })] },
};
