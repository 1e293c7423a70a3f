// A saved block by itself: what is wrong with it whatever email uses it.
import type { Block } from '@rapport/contract';
import { readBlocks } from '../../designs/index.js';
import { type Basis, compileRead, type DesignNeeds, filterReader, type Overlay } from '../authoring/compile-design.js';
import { refuseProblems } from '../check-email.js';

/** The unsubscribe link is a matter of the emails that use it. */
const footer: Block = { type: 'footer', address: '-' };

/** Reads the content of a saved block, or throws a 400 with the place of every fault. */
export async function checkBlocks(
  needs: DesignNeeds,
  tenantId: number,
  value: unknown,
  overlayOf: (blocks: readonly Block[]) => Overlay,
): Promise<{ blocks: readonly Block[]; basis: Basis }> {
  const read = readBlocks(value, filterReader(needs));
  if (!read.ok) {
    refuseProblems(read.faults.map((fault) => ({ ...fault, severity: 'error' })));
    throw new Error('Blocks that cannot be read have no faults.');
  }
  const { blocks } = read;
  const { problems, basis } = await compileBlocks(needs, tenantId, blocks, overlayOf(blocks));
  refuseProblems(
    problems.map((problem) => ({ ...problem, place: problem.place.replace(/^design\.blocks\[0\]\.blocks/, 'blocks') })),
  );
  return { blocks, basis };
}

/** As if in an `each`: whether its elements are known is a matter of the emails, too. */
function compileBlocks(needs: DesignNeeds, tenantId: number, blocks: readonly Block[], overlay: Overlay) {
  return compileRead(needs, tenantId, { version: 1, blocks: [{ type: 'each', of: 'data', blocks }, footer] }, overlay);
}
