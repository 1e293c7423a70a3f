// Refusals of a service in words that say what to do next.
import { ApiFailure } from '@rapport/client';
import { Complaint, codeOf } from '../complaint.js';

/** What is nobody's refusal stays as it is. */
export function complaintOf(error: unknown, url: string): unknown {
  if (!(error instanceof ApiFailure)) return error;
  switch (error.status) {
    case 0:
      return unreachable(error, url);
    case 400:
      return new Complaint(`${sentencesOf(error)}\nNothing was imported. Correct the file and run the command again.`);
    case 401:
      return new Complaint(`${url} does not know this token. Give another with --token or RAPPORT_TOKEN.`);
    case 403:
      return new Complaint('This token lacks a scope: importing needs WRITE, and READ to follow it.');
    case 429:
      return new Complaint('The tenant is over its rate limit. Wait a little and run the command again.');
    default:
      return new Complaint(
        ['UNKNOWN', 'NOT_RAPPORT'].includes(error.errorCode)
          ? `The service answered ${error.status}. Is it Rapport that listens at ${url}?`
          : sentencesOf(error),
      );
  }
}

function sentencesOf({ items }: ApiFailure): string {
  return items.map(({ message }) => message).join('\n');
}

function unreachable(failure: ApiFailure, url: string): Complaint {
  const causes = [...causesOf(failure)];
  const unreadable = causes.find((cause) => 'path' in cause);
  if (unreadable) return new Complaint(`The file cannot be read: ${unreadable.message}. Nothing was imported.`);
  const reason = causes.map(codeOf).find((code) => code !== undefined);
  if (reason !== undefined && ['ECONNRESET', 'EPIPE', 'UND_ERR_SOCKET'].includes(reason)) {
    return new Complaint(
      `The connection to ${url} broke. Run the command again: rows that are there stay as they are.`,
    );
  }
  return new Complaint(
    `No service answers at ${url}${reason ? ` (${reason})` : ''}. ` +
      'Start one with npm start, or name it with --url or RAPPORT_URL.',
  );
}

/** Fetch wraps what went wrong, and the client wraps that. */
function* causesOf(error: Error): Generator<Error> {
  for (let cause = error.cause; cause instanceof Error; cause = cause.cause) yield cause;
}
