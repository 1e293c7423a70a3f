import type { Runner } from '../../../db/database.js';
import { bytes, sql } from '../../../db/sql.js';

interface Counted {
  tries: number;
  /** Until the count starts over. */
  secondsLeft: number;
}

/** Counts one more try under a key, and returns how many there were in its window. */
export async function countTry(db: Runner, key: string, windowSeconds: number): Promise<Counted> {
  const row = await db.row(sql<Counted>`
    insert into guess as g (guess_key, tries) values (${bytes(key)}, 1)
    on conflict (guess_key) do update set
      tries = case when g.since < now() - make_interval(secs => ${windowSeconds}) then 1 else g.tries + 1 end,
      since = case when g.since < now() - make_interval(secs => ${windowSeconds}) then now() else g.since end
    returning tries, ceil(extract(epoch from g.since - now()) + ${windowSeconds})::integer as "secondsLeft"`);
  return row as Counted;
}

/** How many there were in the window of a key. */
export async function findTries(db: Runner, key: string, windowSeconds: number): Promise<Counted> {
  const row = await db.row(sql<Counted>`
    select tries, ceil(extract(epoch from since - now()) + ${windowSeconds})::integer as "secondsLeft" from guess
    where guess_key = ${bytes(key)} and since >= now() - make_interval(secs => ${windowSeconds})`);
  return row ?? { tries: 0, secondsLeft: 0 };
}

export async function forgetTries(db: Runner, keys: readonly string[]): Promise<void> {
  await db.run(sql`delete from guess where guess_key = any(${keys.map((key) => Buffer.from(key, 'hex'))}::bytea[])`);
}

export async function uncountTry(db: Runner, key: string): Promise<void> {
  await db.run(sql`update guess set tries = greatest(tries - 1, 0) where guess_key = ${bytes(key)}`);
}

/** Counts that are no longer needed. */
export function sweepGuesses(db: Runner, atMost: number): Promise<number> {
  return db.run(sql`
    delete from guess where guess_key in (select guess_key from guess where since < now() - interval '1 day' limit ${atMost})`);
}
