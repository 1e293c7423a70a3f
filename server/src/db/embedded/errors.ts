export class DataDirInUseError extends Error {
  override readonly name = 'DataDirInUseError';

  constructor(dataDir: string) {
    super(
      `Another Rapport service is running on this DATA_DIR (${dataDir}). ` +
        'Stop it first, or give this one a DATA_DIR of its own; ' +
        'to run several services on one database, set DATABASE_URL for all of them.',
    );
  }
}

export class NoBinariesError extends Error {
  override readonly name = 'NoBinariesError';

  constructor(platform: string, tried: string[]) {
    const why = tried.length > 0 ? ` Tried: ${tried.join('; ')}.` : '';
    super(
      `There are no PostgreSQL binaries for this platform (${platform}). ` +
        'Set DATABASE_URL to a PostgreSQL 15 or newer, or put its initdb and postgres on PATH.' +
        why,
    );
  }
}

/** The database process ended before it was ready; `log` contains its output. */
export class PostmasterExitedError extends Error {
  override readonly name = 'PostmasterExitedError';

  constructor(
    readonly how: string,
    readonly log: string,
  ) {
    super(`The embedded PostgreSQL ended (${how}) before it was ready. Its last words:\n${lastLines(log)}`);
  }
}

export function lastLines(text: string, count = 15): string {
  return text.trimEnd().split('\n').slice(-count).join('\n') || '(nothing)';
}
