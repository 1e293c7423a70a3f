// From a design to what is sent: what the compiler must know is looked up here; it runs in a rendering process.
import type { Block, Design, DesignProblem } from '@rapport/contract';
import type { Runner } from '../../../db/database.js';
import { isAssetId } from '../../../lib/ids.js';
import {
  type CompiledDesign,
  type DesignFault,
  type FilterReader,
  filesOf,
  filtersOf,
  type Known,
  readDesign,
  savedBlocksOf,
  soundPart,
  unknownVariable,
} from '../../designs/index.js';
import { selectFilesByHash, urlOfFile } from '../../files/index.js';
import { type StoredBlocks, selectBlocksDeep } from '../blocks/queries.js';
import { checkTexts, selectUnknown } from '../check-templates.js';
import type { Renderer } from '../rendering/renderer.js';
import { hashesIn } from './uses.js';

export interface DesignNeeds {
  db: Runner;
  renderer: Renderer;
  baseUrl: () => string;
}

/** What a compilation depends on beside the design. It is out of date once one of these changes. */
export interface Basis {
  /** The revision of each saved block; undefined for one that is not there. */
  blocks: ReadonlyMap<string, number | undefined>;
  /** The hashes of files of the tenant. */
  files: readonly string[];
}
export const noBasis: Basis = { blocks: new Map(), files: [] };

interface Compilation extends Omit<CompiledDesign, 'variables'> {
  /** Undefined if it cannot be read. */
  design: Design | undefined;
  basis: Basis;
}

/** Saved blocks as they would be after a change, by id. */
export type Overlay = ReadonlyMap<string, readonly Block[]>;

export async function compileDesign(
  needs: DesignNeeds,
  tenantId: number,
  value: unknown,
  overlay?: Overlay,
): Promise<Compilation> {
  const read = readDesign(value, filterReader(needs));
  if (read.ok) return compileRead(needs, tenantId, read.design, overlay);
  const sound = soundPart(value, read.faults);
  const others = sound ? (await compileRead(needs, tenantId, sound, overlay)).problems : [];
  const problems = [...read.faults.map(asError), ...others];
  return { html: '', text: '', size: 0, problems, design: undefined, basis: noBasis };
}

/** With what else would keep it from being saved: html that is too large, or too expensive to render. */
export async function tryDesign(needs: DesignNeeds, tenantId: number, value: unknown): Promise<Compilation> {
  const compiled = await compileDesign(needs, tenantId, value);
  const { html, design, problems } = compiled;
  if (!design || problems.some(isError)) return compiled;
  const { faults } = await checkTexts(needs.renderer, tenantId, { subject: '', preheader: null, html });
  return {
    ...compiled,
    problems: [...problems, ...faults.map(({ message }) => asError({ place: 'design', message }))],
  };
}

/** Compiles a design that was read. */
export async function compileRead(
  needs: DesignNeeds,
  tenantId: number,
  design: Design,
  overlay: Overlay = new Map(),
): Promise<Compilation> {
  const { known, basis } = await lookUp(needs, tenantId, design.blocks, overlay);
  const { variables, ...compiled } = await needs.renderer.compileDesign(tenantId, design, known);
  const unknown = await selectUnknown(
    needs.db,
    tenantId,
    variables.map(({ name }) => name),
  );
  const problems = [
    ...compiled.problems,
    ...variables.filter(({ name }) => unknown.has(name)).map(unknownVariable),
    ...(await findMissing(needs, tenantId, design.blocks)),
  ];
  return { ...compiled, problems, design, basis };
}

function asError({ place, message }: DesignFault): DesignProblem {
  return { place, severity: 'error', message };
}

export function isError({ severity }: DesignProblem): boolean {
  return severity === 'error';
}

interface LookedUp {
  known: Known;
  basis: Basis;
}

async function lookUp(
  { db, baseUrl }: DesignNeeds,
  tenantId: number,
  blocks: readonly Block[],
  overlay: Overlay,
): Promise<LookedUp> {
  const stored = await reachableBlocks(db, tenantId, blocks, overlay);
  const content = (id: string) => overlay.get(id) ?? stored.get(id)?.blocks ?? null;
  const reachable = [...stored.keys()].flatMap((id) => content(id) ?? []);
  const addresses = [...new Set([...filesOf(blocks), ...filesOf(reachable)])];
  const files = await selectFilesByHash(db, tenantId, addresses.flatMap(hashesIn));
  const byHash = new Map(files.map((file) => [file.hash, file]));
  const ours = `${baseUrl().replace(/\/+$/, '')}/files/`;
  const known: Known = {
    blocks: Object.fromEntries([...stored.keys()].map((id) => [id, content(id)])),
    files: Object.fromEntries(
      addresses.flatMap((address): [string, Known['files'][string]][] => {
        const file = byHash.get(hashesIn(address)[0] ?? '');
        if (!file) return address.startsWith(ours) ? [[address, null]] : [];
        const { hash, type, width, height, size } = file;
        return [[address, { url: urlOfFile(baseUrl(), hash, type), width, height, bytes: size }]];
      }),
    ),
  };
  const revisions = new Map([...stored].map(([id, block]) => [id, block?.revision]));
  return { known, basis: { blocks: revisions, files: [...byHash.keys()] } };
}

/** All saved blocks that these name, through others too. Undefined for one that is not there. */
async function reachableBlocks(
  db: Runner,
  tenantId: number,
  blocks: readonly Block[],
  overlay: Overlay = new Map(),
): Promise<Map<string, StoredBlocks | undefined>> {
  const found = new Map<string, StoredBlocks | undefined>();
  let next = savedBlocksOf(blocks);
  while (next.length > 0) {
    for (const row of await selectBlocksDeep(db, tenantId, next.filter(isAssetId))) found.set(row.blockId, row);
    for (const id of next) if (!found.has(id)) found.set(id, undefined);
    // Only what a change would add is not found yet.
    const added = next.flatMap((id) => savedBlocksOf(overlay.get(id) ?? []));
    next = [...new Set(added)].filter((id) => !found.has(id));
  }
  return found;
}

async function findMissing(
  { db, renderer }: DesignNeeds,
  tenantId: number,
  blocks: readonly Block[],
): Promise<DesignProblem[]> {
  const faults = (await renderer.conditions?.missing(db, tenantId, filtersOf(blocks, 'design.blocks'))) ?? [];
  return faults.map(asError);
}

export function filterReader({ renderer }: DesignNeeds): FilterReader {
  return renderer.conditions?.read ?? (() => []);
}
