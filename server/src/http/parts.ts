// Responses of any size: sections that are written while they are read. For a slow reader we hold one piece, not the whole response.
import { Readable } from 'node:stream';
import type { Route } from '@rapport/contract';
import type { TSchema } from 'typebox';
import type { Clock } from '../lib/clock.js';
import type { Part } from './endpoint.js';
import { successPieces } from './envelope.js';
import { writerOf } from './serialize.js';

// Characters. Fewer mean more system calls, more block others.
const pieceLength = 64 * 1024;

/**
 * The whole envelope as a stream. A failure before the first piece is answered like any error. A later one destroys the stream, and
 * Fastify the connection, so that a partial response cannot be mistaken for a complete one.
 */
export async function streamOfParts(route: Route, parts: readonly Part[], clock: Clock): Promise<Readable> {
  const data = dataPieces(sectionsOf(route), parts);
  const first = await data.next();
  const whole = async function* (): AsyncGenerator<string> {
    if (!first.done) yield first.value;
    yield* data;
  };
  return Readable.from(successPieces(whole(), () => clock.now()));
}

async function* dataPieces(sections: Record<string, Section>, parts: readonly Part[]): AsyncGenerator<string> {
  refuseOthers(sections, parts);
  let text = '{';
  for (const { name, rows } of parts) {
    const { isList, write } = sections[name] as Section;
    text += `${text === '{' ? '' : ','}${JSON.stringify(name)}:${isList ? '[' : ''}`;
    let count = 0;
    for await (const row of rows) {
      text += count === 0 ? write(row) : `,${write(row)}`;
      count++;
      if (text.length < pieceLength) continue;
      yield text;
      text = '';
    }
    if (!isList && count !== 1) throw new Error(`There is ${count === 0 ? 'no' : 'more than one'} ${name}.`);
    text += isList ? ']' : '';
  }
  yield `${text}}`;
}

interface Section {
  isList: boolean;
  write(row: unknown): string;
}

function sectionsOf({ data }: Route): Record<string, Section> {
  const { properties } = data as unknown as { properties: Record<string, TSchema & { items?: TSchema }> };
  return Object.fromEntries(
    Object.entries(properties).map(([name, schema]) => [
      name,
      { isList: schema.items !== undefined, write: (row: unknown) => writerOf(schema.items ?? schema)(row) },
    ]),
  );
}

function refuseOthers(sections: Record<string, Section>, parts: readonly Part[]): void {
  const [promised, given] = [Object.keys(sections), parts.map(({ name }) => name)].map((names) =>
    names.sort().join(', '),
  );
  if (promised !== given) throw new Error(`The contract promises the sections ${promised}; there are ${given}.`);
}
