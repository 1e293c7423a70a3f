// Vitest setup: checks every statement that the service sends while a test file runs. The file fails if a statement
// reads or changes a tenant's table without naming the tenant. See "Splitting by tenant" in docs/operations.md.
import { afterAll, inject } from 'vitest';
import { DatabaseClient } from '../../src/db/connect.js';
import { isOfTests } from './overlook.js';
import { unboundTables } from './unbound-tables.js';

// Marks the statements that look for work, and those of the operator.
const marker = '/* all tenants */';

interface Watch {
  sent: Set<string>;
  done: Set<string>;
}
const key = Symbol.for('rapport.test.statements');
const shared = globalThis as { [key]?: Watch };

/** One for all files that a worker runs. */
function startWatch(): Watch {
  const watch: Watch = { sent: new Set(), done: new Set() };
  const { query } = DatabaseClient.prototype as unknown as { query: (...args: unknown[]) => unknown };
  Object.assign(DatabaseClient.prototype, {
    query(this: DatabaseClient, ...args: unknown[]) {
      const [statement] = args as [string | { text?: string }];
      // Statements without parameters are migrations and settings.
      const text = typeof statement === 'string' ? undefined : statement.text;
      if (text !== undefined && !watch.done.has(text)) watch.sent.add(text);
      return query.apply(this, args);
    },
  });
  return watch;
}
shared[key] ??= startWatch();
const watch = shared[key];

afterAll(async () => {
  const ofTenants = new Set(inject('tablesOfTenants'));
  const faults: string[] = [];
  for (const text of watch.sent) {
    watch.sent.delete(text);
    watch.done.add(text);
    if (isOfTests(text) || text.includes(marker)) continue;
    const tables = await unboundTables(text, ofTenants);
    if (tables.length > 0) faults.push(`${tables.join(', ')}:\n${text}`);
  }
  if (faults.length > 0) throw new Error(`Not bound to a tenant: ${faults.join('\n\n')}`);
});
