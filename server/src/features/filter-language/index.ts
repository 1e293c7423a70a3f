// The filter language: what a filter may say, read, put into words, compiled to SQL and evaluated. It knows no feature; those that have something
// to filter by register a subject.
export { breakDown } from './break-down.js';
export type { Log } from './compile/event-filters.js';
export { countIn } from './compile/events.js';
export { listed, tenantSql } from './compile/fragments.js';
export { compile, compileAll, compileNodes } from './compile/index.js';
export { bucketSql } from './compile/people.js';
export { batchesOf, isPlain, mostJoining, mostPlain } from './evaluate/batches.js';
export { countFilters } from './evaluate/count-filters.js';
export { evaluateFilters } from './evaluate/evaluate-filters.js';
export {
  countHits,
  estimateCost,
  findNodes,
  groundFor,
  type Hits,
  hitsOf,
  type Moment,
  readMoment,
  type Verdict,
} from './evaluate/queries.js';
export { chooseContacts, matchingSql, sampleContacts } from './evaluate/select.js';
export { type EventTest, readEventTest, type TestedEvent } from './event-test.js';
export { type Fault, FilterFault, FilterFaults, faulty, placeOf } from './fault.js';
export { followsFromProperties, holdsForProperties } from './hold-properties.js';
export { readFilter } from './read.js';
export { readTest } from './read-test.js';
export {
  type Fields,
  readAssetId,
  readBoolean,
  readDuration,
  readKey,
  readList,
  readObject,
  readOneOf,
  readPath,
  readScalar,
  readText,
  readTime,
  readWhole,
  refuseOthers,
} from './read-value.js';
export { countedKeys, readCounted } from './read-window.js';
export { type Reads, readsOf } from './reads.js';
export { nameOf, say } from './say.js';
export { quote, sayScalar } from './say-test.js';
export { sayCounted } from './say-time.js';
export type { Extent, Ground, Names, Piece, Subject } from './subject.js';
export { Subjects } from './subjects.js';
export { type Counted, type Duration, type Filter, isGroup } from './tree.js';
export { conditionsOf } from './walk.js';
