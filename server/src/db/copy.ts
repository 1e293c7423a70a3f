import type { Connection, Submittable } from 'pg';

/** The part of a connection that this needs; pg's types leave out what COPY uses. */
interface CopyConnection extends Connection {
  sendCopyFromChunk(chunk: Buffer): void;
  endCopyFrom(): void;
}

/**
 * `COPY … FROM STDIN` with all rows at hand: twice as fast as an insert from parameters, because PostgreSQL then fills a
 * page at a time. The protocol is four messages; a streaming library would do more than is needed.
 */
export class CopyIn implements Submittable {
  readonly done: Promise<void>;
  private resolve: () => void = () => undefined;
  private reject: (error: Error) => void = () => undefined;

  constructor(
    private readonly text: string,
    private readonly rows: string,
  ) {
    this.done = new Promise((resolve, reject) => {
      this.resolve = resolve;
      this.reject = reject;
    });
  }

  submit(connection: Connection): void {
    (connection as Connection & { query(text: string): void }).query(this.text);
  }

  handleCopyInResponse(connection: CopyConnection): void {
    connection.sendCopyFromChunk(Buffer.from(this.rows));
    connection.endCopyFrom();
  }

  handleError(error: Error): void {
    this.reject(error);
  }

  handleReadyForQuery(): void {
    this.resolve();
  }

  // A COPY returns no rows, but the client calls these on every query.
  handleRowDescription(): void {}
  handleDataRow(): void {}
  handleCommandComplete(): void {}
  handleCopyData(): void {}
  handlePortalSuspended(): void {}
  handleEmptyQuery(): void {}
}

const special = /[\\\t\n\r]/;
const escapes: Record<string, string> = { '\\': '\\\\', '\t': '\\t', '\n': '\\n', '\r': '\\r' };

/** A value in COPY's text format. */
export function copyField(value: string | null): string {
  if (value === null) return '\\N';
  return special.test(value) ? value.replace(/[\\\t\n\r]/g, (char) => escapes[char] as string) : value;
}
