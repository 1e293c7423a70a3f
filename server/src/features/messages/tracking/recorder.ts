import type { FastifyBaseLogger } from 'fastify';

/** No page is delayed longer than this to record that it was requested. */
const patienceMs = 2000;

/**
 * Records engagements, but never at the cost of the response: a store that fails or hangs loses a count, not the picture
 * or the redirect. A failure is logged once, and again only after a success in between: every open and click comes through here.
 */
export class Recorder {
  private isFailing = false;

  constructor(private readonly log: Pick<FastifyBaseLogger, 'warn'>) {}

  /** Resolves when it is recorded, has failed, or takes too long; in the last case it may still be recorded. */
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
