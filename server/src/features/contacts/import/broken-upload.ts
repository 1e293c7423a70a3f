import { ApiError } from '../../../http/api-error.js';

/** A file that cannot be read to the end, and is therefore refused as a whole. */
export function brokenAt(line: number, reason: string): ApiError {
  return new ApiError('VALIDATION_ERROR', { reason: `Line ${line} ${reason}` }, { detail: `line ${line}` });
}

export function brokenUpload(reason: string): ApiError {
  return new ApiError('VALIDATION_ERROR', { reason }, { detail: 'body' });
}
