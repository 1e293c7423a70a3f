import { expect, it } from 'vitest';
import { useDatabase } from '../../test/database.js';
import { connectPatiently, whyNotConnected } from './wait.js';

const t = useDatabase();
const at = { host: 'db.test', port: 5432, user: 'ada', database: 'crm' };

it.each([
  ['ECONNREFUSED', 'No database answers at db.test:5432. Check DATABASE_URL'],
  ['ENOTFOUND', 'There is no machine named db.test'],
  ['28P01', 'The database at db.test:5432 does not let the user ada in'],
  ['3D000', 'There is no database named crm at db.test:5432. Check DATABASE_URL, or make it: createdb crm.'],
  ['42501', 'The user ada may not use the database crm'],
  ['53300', 'has no connection left'],
  ['EODD', 'Cannot reach the database at db.test:5432 (it says: it failed). Check DATABASE_URL.'],
])('says in a sentence what %s means', (code, told) => {
  expect(whyNotConnected(Object.assign(new Error('it failed'), { code }), at)).toContain(told);
});

it('names a socket by its folder', () => {
  const error = Object.assign(new Error('it failed'), { code: 'ENOENT' });
  expect(whyNotConnected(error, { ...at, host: '/run/postgresql' })).toContain(
    'No database answers at the socket of port 5432 in /run/postgresql.',
  );
});

it('gives up at once if waiting does not help, and does not show the password', async () => {
  const connectionString = 'postgres://ada:secret@127.0.0.1:1/crm';
  const failure = await connectPatiently({ connectionString }, 0).catch((error: unknown) => error);
  expect(String(failure)).toBe(
    'Error: No database answers at 127.0.0.1:1. Check DATABASE_URL, above all its host and port, and see that PostgreSQL runs.',
  );
  const nowhere = connectPatiently({ ...clientOf(t.connection), database: 'no_such_database' }, 60_000);
  await expect(nowhere).rejects.toThrow('There is no database named no_such_database at ');
});

function clientOf(connection: typeof t.connection) {
  if (!('connectionString' in connection)) return connection;
  const url = new URL(connection.connectionString.replace('@/', '@localhost/'));
  const { username, password, hostname, port, searchParams } = url;
  const host = searchParams.get('host') ?? hostname;
  return {
    host,
    port: Number(port || searchParams.get('port') || 5432),
    user: decodeURIComponent(username),
    password: decodeURIComponent(password),
    database: '',
  };
}
