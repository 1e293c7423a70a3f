import {
  type Block,
  type BlockFieldKind,
  type BlockKind,
  blockKinds,
  type Design,
  type DesignTheme,
  designColours,
  designFonts,
  designLimits,
  designVersion,
  socialNetworks,
} from '@rapport/contract';
import * as values from './read-values.js';
import { type DesignFault, type FilterReader, placeOf, type Read, Reading } from './reading.js';

type ReadDesign = { ok: true; design: Design } | { ok: false; faults: readonly DesignFault[] };
type ReadBlocks = { ok: true; blocks: readonly Block[] } | { ok: false; faults: readonly DesignFault[] };

/** Reads a design. Places begin with `design`. */
export function readDesign(value: unknown, readFilter: FilterReader): ReadDesign {
  const faults = readWithin(value, 'design', readFilter, readDocument);
  return faults.length > 0 ? { ok: false, faults } : { ok: true, design: value as Design };
}

/** Reads the content of a saved block. Places begin with `blocks`. */
export function readBlocks(value: unknown, readFilter: FilterReader): ReadBlocks {
  const faults = readWithin(value, 'blocks', readFilter, readAllBlocks);
  return faults.length > 0 ? { ok: false, faults } : { ok: true, blocks: value as Block[] };
}

/** Reads a theme by itself. Places begin with `theme`. */
export function readThemeAlone(
  value: unknown,
): { ok: true; theme: DesignTheme } | { ok: false; faults: readonly DesignFault[] } {
  const faults = readWithin(value, 'theme', () => [], readTheme);
  return faults.length > 0 ? { ok: false, faults } : { ok: true, theme: value as DesignTheme };
}

function readWithin(value: unknown, place: string, readFilter: FilterReader, read: Read): readonly DesignFault[] {
  if (bytesOf(value) > designLimits.bytes)
    return [{ place, message: `must have at most ${designLimits.bytes} bytes of JSON in UTF-8` }];
  const reading = new Reading(readFilter);
  read(value, place, reading);
  return reading.faults;
}

/** Infinite if it is nested so deep that it cannot even be written. */
function bytesOf(value: unknown): number {
  try {
    return Buffer.byteLength(JSON.stringify(value) ?? '');
  } catch {
    return Number.POSITIVE_INFINITY;
  }
}

const readDocument: Read = (value, place, reading) =>
  reading.object(
    value,
    place,
    { version: values.readOneOf([designVersion]), blocks: readAllBlocks },
    { theme: readTheme },
  );

const colours = Object.fromEntries(designColours.map((name) => [name, values.readColour]));
const language = /^[A-Za-z]{2,8}(?:-[A-Za-z0-9]{1,8}){0,4}$/;

const readTheme: Read = (value, place, reading) =>
  reading.object(
    value,
    place,
    {},
    {
      ...colours,
      width: values.readWhole(designLimits.width),
      radius: values.readWhole(designLimits.radius),
      font: values.readOneOf(Object.keys(designFonts)),
      lang: (lang, at) => {
        if (typeof lang !== 'string' || !language.test(lang))
          reading.fault(at, 'a language is wanted, such as en or pt-BR');
      },
      dark: (dark, at) => {
        if (dark === 'auto') return;
        if (typeof dark === 'object') reading.object(dark, at, {}, colours);
        else reading.fault(at, '"auto" or an object of colours is wanted');
      },
    },
  );

/** The blocks of a whole document, which has at least one and not too many in all. */
const readAllBlocks: Read = (value, place, reading) => {
  if (Array.isArray(value) && value.length === 0) reading.fault(place, 'at least one block is wanted');
  readBlockList(value, place, reading);
  if (reading.blocks > designLimits.blocks)
    reading.fault(place, `at most ${designLimits.blocks} blocks in all are allowed, those inside others included`);
};

const readBlockList: Read = (value, place, reading) => {
  if (!Array.isArray(value)) return reading.fault(place, 'a list of blocks is wanted');
  value.forEach((block, i) => {
    reading.blocks++;
    // Those after the last one that is allowed are counted, but not read.
    if (reading.blocks <= designLimits.blocks) readBlock(block, `${place}[${i}]`, reading);
  });
};

const readBlock: Read = (value, place, reading) => {
  const fields = reading.fields(value, place);
  if (!fields) return;
  const { type } = fields;
  if (!Object.hasOwn(fields, 'type')) return reading.fault(placeOf(place, 'type'), 'is required');
  if (typeof type !== 'string' || !Object.hasOwn(blockKinds, type))
    return reading.fault(placeOf(place, 'type'), `one of ${Object.keys(blockKinds).join(', ')} is wanted`);
  const kind = type as BlockKind;
  if (kind === 'columns' && reading.isInColumns) return reading.fault(place, 'there are no columns inside columns');
  const { wants, may } = readersOf[kind];
  reading.object(value, place, { type: () => undefined, ...wants }, may);
};

const readColumns: Read = (value, place, reading) => {
  const { least, most } = designLimits.columns;
  reading.isInColumns = true;
  reading.list(value, place, least, most, (column, at) =>
    reading.object(column, at, { width: values.readPercent, blocks: readBlockList }),
  );
  reading.isInColumns = false;
  if (!Array.isArray(value)) return;
  const widths = value.map((column) => (column as { width?: unknown } | null)?.width);
  const sum = widths.reduce<number>((all, width) => all + (typeof width === 'number' ? width : Number.NaN), 0);
  // Thirds are written as 33.33 and 33.34.
  if (Math.abs(sum - 100) > 0.001) reading.fault(place, 'the widths must add up to 100');
};

const readLinks: Read = (value, place, reading) =>
  reading.list(value, place, 1, 20, (link, at) =>
    reading.object(link, at, { network: values.readOneOf(Object.keys(socialNetworks)), href: values.readAddress }),
  );

const readers: Readonly<Record<BlockFieldKind, Read>> = {
  content: values.readContent,
  alignment: values.readAlignment,
  level: values.readLevel,
  textSize: values.readTextSize,
  label: values.readLabel,
  address: values.readAddress,
  flag: values.readFlag,
  text: values.readText,
  id: values.readText,
  percent: values.readPercent,
  columns: readColumns,
  height: values.readHeight,
  links: readLinks,
  filter: (value, place, reading) => {
    for (const { path, words } of reading.readFilter(value, place)) reading.fault(path, words);
  },
  path: values.readPath,
  blocks: readBlockList,
};

type Readers = Readonly<Record<string, Read>>;
const pick = (fields: Readonly<Record<string, BlockFieldKind>>): Readers =>
  Object.fromEntries(Object.entries(fields).map(([key, kind]) => [key, readers[kind]]));
const readersOf = Object.fromEntries(
  Object.entries(blockKinds).map(([kind, { wants, may }]) => [kind, { wants: pick(wants), may: pick(may) }]),
) as Readonly<Record<BlockKind, { wants: Readers; may: Readers }>>;
