export { type Compiled, compile, type Problem, problemOf, type Variable } from './compile.js';
export { type Outcomes, outcomes } from './design-tags.js';
export type { PlatformValues, Values } from './engine.js';
export { setForeignAside } from './foreign-tokens.js';
