// Statements of the tests themselves may concern all tenants, so they are not checked.
import type { Database, Runner } from '../../src/db/database.js';
import type { Sql } from '../../src/db/sql.js';

interface Origins {
  ofTests: Set<string>;
  ofService: Set<string>;
}
const key = Symbol.for('rapport.test.origins');
const shared = globalThis as { [key]?: Origins };
shared[key] ??= { ofTests: new Set(), ofService: new Set() };
const { ofTests, ofService } = shared[key];

export function isOfTests(text: string): boolean {
  return ofTests.has(text) && !ofService.has(text);
}

/** Whether a file is a test's, looked up once. */
function noted<Row>(statement: Sql<Row>): Sql<Row> {
  const { text } = statement;
  if (ofTests.has(text) || ofService.has(text)) return statement;
  // After the message come this function, the runner's own, and the caller.
  const caller = new Error('who').stack?.split('\n')[3] ?? '';
  (/\/server\/test\/|\.test\.ts/.test(caller) ? ofTests : ofService).add(text);
  return statement;
}

function overlookRunner<R extends Runner>(runner: R): R {
  return {
    ...runner,
    rows: (statement: Sql) => runner.rows(noted(statement)),
    row: (statement: Sql) => runner.row(noted(statement)),
    run: (statement: Sql) => runner.run(noted(statement)),
  };
}

/** The same database, but it distinguishes statements of tests from those of the service. */
export function overlook(db: Database): Database {
  return {
    ...overlookRunner(db),
    transaction: (work) => db.transaction((tx) => work(overlookRunner(tx))),
    background: {
      ...overlookRunner(db.background),
      transaction: (work, options) => db.background.transaction((tx) => work(overlookRunner(tx)), options),
    },
  };
}
