// Designs: documents of blocks, and how they become emails. Pure: no database, no requests, no template engine.
export type { ReadTemplate } from './compile/check-html-block.js';
export { type CompiledDesign, compileDesign, type Known, unknownVariable } from './compile/compile-design.js';
export { compilerVersion, designTags, mostRounds } from './compile/liquid.js';
export { filesOf, filtersOf, savedBlocksOf } from './compile/named-in.js';
export { readBlocks, readDesign, readThemeAlone } from './read/read-design.js';
export type { DesignFault, FilterReader } from './read/reading.js';
export { soundPart } from './read/sound-part.js';
export { type DesignText, mapTexts, textsOfDesign } from './texts/map-texts.js';
