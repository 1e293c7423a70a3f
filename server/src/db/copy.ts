import pg from 'pg';

/** The part of a connection that this needs; pg's types leave out what COPY uses. */
interface CopyConnection extends pg.Connection {
  query(text: string): void;
  sendCopyFromChunk(chunk: Buffer): void;
  endCopyFrom(): void;
}

class CopyIn extends pg.Query {
  constructor(text: string, rows: string, callback: (error: Error | undefined) => void) {
    super(text, callback);
    this.submit = (connection) => {
      const copying = connection as CopyConnection;
      copying.query(text);
      copying.sendCopyFromChunk(Buffer.from(rows));
      copying.endCopyFrom();
    };
  }

  handleCopyInResponse(): void {}
}

/**
 * `COPY … FROM STDIN` with all rows at hand: twice as fast as an insert from parameters, because PostgreSQL then fills a
 * page at a time. The rows are sent along, without waiting to be asked for them: that saves a round trip, and PostgreSQL ignores them if
 * the statement fails. A streaming library would do more than is needed.
 */
export function copyIn(client: pg.Client, text: string, rows: string): Promise<void> {
  return new Promise((resolve, reject) => {
    client.query(new CopyIn(text, rows, (error) => (error ? reject(error) : resolve())));
  });
}

const special = /[\\\t\n\r]/;
const escapes: Record<string, string> = { '\\': '\\\\', '\t': '\\t', '\n': '\\n', '\r': '\\r' };

/** A value in COPY's text format. */
export function copyField(value: string | null): string {
  if (value === null) return '\\N';
  return special.test(value) ? value.replace(/[\\\t\n\r]/g, (char) => escapes[char] as string) : value;
}
