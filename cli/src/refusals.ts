// Refusals of a service in words that say what to do next.
import { ApiFailure } from '@rapport/client';
import { Complaint, codeOf } from './complaint.js';

/** What a command was at, for its complaints. */
interface Doing {
  /** After a refusal of what was sent. */
  refused: string;
  /** Which scopes it needs, and why. */
  needs: string;
}
const importing: Doing = {
  refused: 'Nothing was imported. Correct the file and run the command again.',
  needs: 'importing needs WRITE, and READ to follow it',
};

/** Errors that are no refusal stay as they are. */
export function complaintOf(error: unknown, url: string, { refused, needs }: Doing = importing): unknown {
  if (!(error instanceof ApiFailure)) return error;
  switch (error.status) {
    case 0:
      return unreachable(error, url);
    case 400:
      return new Complaint(`${sentencesOf(error)}\n${refused}`);
    case 401:
      return new Complaint(`${url} does not know this token. Give another with --token or RAPPORT_TOKEN.`);
    case 403:
      return new Complaint(`This token lacks a scope: ${needs}.`);
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
  const ofFile = causes.find((cause) => cause instanceof Complaint);
  if (ofFile) return new Complaint(`${ofFile.message}\nNothing was imported.`);
  // Late, and nothing else is wrong: the client says how long it waited.
  if (causes.length === 0) return new Complaint(`${failure.message.replace('The service', url)} It may be busy.`);
  const reason = causes.some(({ message }) => message === 'bad port')
    ? 'bad port'
    : causes.map(codeOf).find((code) => code !== undefined);
  return new Complaint(whyNoAnswer(reason ?? '', url));
}

const another = 'name it with --url or RAPPORT_URL';

function whyNoAnswer(reason: string, url: string): string {
  const { hostname, port, protocol } = new URL(url);
  switch (reason) {
    case 'ECONNRESET':
    case 'EPIPE':
    case 'UND_ERR_SOCKET':
      return `The connection to ${url} broke. Run the command again: rows that are there stay as they are.`;
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return `There is no machine named ${hostname}, or its name cannot be looked up from here. If the service is elsewhere, ${another}.`;
    case 'EHOSTUNREACH':
    case 'ENETUNREACH':
    case 'ETIMEDOUT':
    case 'UND_ERR_CONNECT_TIMEOUT':
      return `${url} cannot be reached from here: the network, or a firewall, is in between. If the service is elsewhere, ${another}.`;
    case 'bad port':
      return `Port ${port} in ${url} is one that no web service is asked at. Check it: Rapport has 8080 unless PORT says otherwise.`;
    case 'EPROTO':
    case 'ERR_SSL_WRONG_VERSION_NUMBER':
      return `What listens at ${url} does not speak https. Try it with http:// instead.`;
    case 'HPE_INVALID_CONSTANT':
    case 'UND_ERR_HEADERS_OVERFLOW':
      return `What listens at ${url} is no web service. Check the port; for Rapport elsewhere, ${another}.`;
    default:
      if (protocol === 'https:' && /CERT|SIGNATURE|ISSUER/.test(reason))
        return `The certificate of ${url} is not accepted (${reason}). Name the authority that signed it in NODE_EXTRA_CA_CERTS.`;
      return `No service answers at ${url}${reason && reason !== 'ECONNREFUSED' ? ` (${reason})` : ''}. Start one with npm start, or ${another}.`;
  }
}

/** Fetch wraps what went wrong, and the client wraps that. */
function* causesOf(error: Error): Generator<Error> {
  for (let cause = error.cause; cause instanceof Error; cause = cause.cause) yield cause;
}
