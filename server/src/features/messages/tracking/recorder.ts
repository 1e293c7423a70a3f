import type { FastifyBaseLogger } from 'fastify';

/** No page is held back longer than this to record that it was asked for. */
const patienceMs = 2000;

/**
 * Records what happened, but never at the cost of the answer: a store that fails or hangs costs a count, not the picture
 * or the way to the page. Said once, and again only after it went well in between: everyone who opens a mail comes here.
 */
export class Recorder {
  private isFailing = false;

  constructor(private readonly log: Pick<FastifyBaseLogger, 'warn'>) {}

  /** Resolves when it is recorded, failed, or took too long; in the last case it may still come to pass. */
  async attempt(record: () => Promise<void>): Promise<void> {
    let timer: NodeJS.Timeout | undefined;
    const tooLate = new Promise<void>((resolve) => {
      timer = setTimeout(() => {
        this.complain('opens and clicks take too long to record; answers no longer wait for it', undefined);
        resolve();
      }, patienceMs);
    });
    const recorded = record().then(
      () => {
        this.isFailing = false;
      },
      (err: Error) => this.complain('opens and clicks are not recorded', err),
    );
    await Promise.race([recorded, tooLate]);
    clearTimeout(timer);
  }

  private complain(what: string, err: Error | undefined): void {
    if (!this.isFailing) this.log.warn({ err }, what);
    this.isFailing = true;
  }
}
