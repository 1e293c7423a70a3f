// Errors of the machine and of the database in sentences that name what is wrong and say what to do.
import { dirname } from 'node:path';
import { Complaint, codeOf } from './complaint.js';

type Doing = 'read' | 'written';

/** Why a file cannot be read or written; nothing for an error that is not from the file system. */
export function fileComplaint(error: unknown, file: string, doing: Doing): Complaint | undefined {
  const code = codeOf(error);
  if (code === undefined || !/^E[A-Z]+$/.test(code)) return undefined;
  return new Complaint(whyNoFile(code, file, doing), { cause: error });
}

function whyNoFile(code: string, file: string, doing: Doing): string {
  switch (code) {
    case 'ENOENT':
    case 'ENOTDIR':
      return doing === 'read'
        ? `There is no file ${file}. Check its name and folder.`
        : `There is no folder ${dirname(file)}. Make it, or name a file elsewhere.`;
    case 'EISDIR':
      return `${file} is a folder. Name a file in it.`;
    case 'EACCES':
    case 'EPERM':
      return doing === 'read'
        ? `This user may not read ${file}. Let it (chmod, chown), or name another file.`
        : `This user may not write ${file}. Let it write to the folder (chmod, chown), or name a file elsewhere.`;
    case 'ENOSPC':
    case 'EDQUOT':
      return `The disk of ${file} is full. Make room and run the command again, or name a file on another disk.`;
    case 'EROFS':
      return `${file} is on a disk that can only be read. Name a file elsewhere.`;
    case 'EFBIG':
      return `${file} has become larger than its disk takes files. Name a file on another disk.`;
    case 'ENAMETOOLONG':
      return `The name ${file} is too long. Choose a shorter one.`;
    case 'ELOOP':
      return `${file} is a link that leads to itself. Name the file.`;
    case 'EMFILE':
    case 'ENFILE':
      return `${file} cannot be opened: too many files are open. Close other programs, or raise the limit (ulimit -n).`;
    default:
      return `${file} cannot be ${doing} (${code}). Check its disk, or name another file.`;
  }
}

/** The last resort, for errors that nothing before recognized. Other than system errors stay as they are. */
export function inPlainWords(error: unknown): unknown {
  if (!(error instanceof Error) || error instanceof Complaint) return error;
  const { path, syscall } = error as NodeJS.ErrnoException;
  if (path !== undefined && syscall !== 'connect')
    return fileComplaint(error, path, syscall === 'mkdir' || syscall === 'rename' ? 'written' : 'read') ?? error;
  return databaseComplaint(error) ?? error;
}

const lostCodes = ['ECONNRESET', 'ECONNREFUSED', 'EPIPE', 'ETIMEDOUT', 'ENOTFOUND', 'EHOSTUNREACH', 'ENETUNREACH'];

// None begins with an E, as EPERM does.
const isSqlState = /^(?!E)[0-9A-Z]{5}$/;

/** Why a database refuses; nothing for an error that is not from a database. */
export function databaseComplaint(error: unknown): Complaint | undefined {
  if (!(error instanceof Error)) return undefined;
  const code = codeOf(error) ?? '';
  const isLost =
    lostCodes.includes(code) || (code === '' && /^Connection terminated|not queryable/.test(error.message));
  if (!isLost && !isSqlState.test(code)) return undefined;
  const sentence = isLost || /^(08|57P)/.test(code) ? lost : whyRefused(code, error.message);
  return new Complaint(sentence, { cause: error });
}

const lost =
  'The connection to the database broke. See that it runs and stays, and run the command again: nothing is left half done.';

function whyRefused(code: string, message: string): string {
  const said = `(it says: ${message})`;
  if (code === '42501')
    return `The user in DATABASE_URL lacks a right ${said}. Name the one that owns the tables, or grant the right.`;
  if (code === '25006') return `The database in DATABASE_URL can only be read ${said}. Name the primary, not its copy.`;
  if (code === '40001' && /conflict with recovery/.test(message))
    return `The replica cancelled the read, because it had to replay something else ${said}. Set hot_standby_feedback = on there, or raise max_standby_streaming_delay.`;
  if (code === '53100') return `The disk of the database is full ${said}. Make room and run the command again.`;
  if (code.startsWith('53')) return `The database has no room for this now ${said}. Run the command again later.`;
  if (code.startsWith('28'))
    return `The database does not let this user in ${said}. Check user and password in DATABASE_URL.`;
  if (code.startsWith('22') || code.startsWith('23'))
    return `The database does not take a row ${said}. Nothing was changed; use another backup.`;
  return `The database refused ${said}, error ${code}. Nothing was changed.`;
}
