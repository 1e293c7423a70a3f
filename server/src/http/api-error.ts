import { describeError, type ErrorCode, type ErrorItem, errorCatalogue, sayField } from '@rapport/contract';

/** An error the caller may see. The cause, if any, goes to the log and nowhere else. */
export class ApiError extends Error {
  readonly status: number;
  readonly headers: Record<string, string>;

  constructor(
    readonly code: ErrorCode,
    params: Record<string, unknown> = {},
    options: { detail?: string; headers?: Record<string, string>; cause?: unknown; items?: ErrorItem[] } = {},
  ) {
    super(describeError(code, params), { cause: options.cause });
    this.status = errorCatalogue[code].status;
    this.headers = options.headers ?? {};
    this.items = options.items ?? [errorItem(code, params, options.detail)];
  }

  readonly items: ErrorItem[];
}

export function errorItem(code: ErrorCode, params: Record<string, unknown> = {}, detail?: string): ErrorItem {
  const item: ErrorItem = { errorCode: code, message: clipped(describeError(code, params)) };
  return detail === undefined ? item : { ...item, detail: clipped(detail) };
}

// An error repeats what the caller sent, which may have been megabytes.
const longest = 4000;

function clipped(text: string): string {
  return text.length <= longest ? text : `${text.slice(0, longest).replace(/[\ud800-\udbff]$/, '')}…`;
}

/** A 400 that names the field: `invalid('name', 'is required')`. */
export function invalid(field: string, reason: string): ApiError {
  return invalidFields([{ field, reason }]);
}

/** `more`: how many errors are left out. The last one shown says so. */
export function invalidFields(faults: { field: string; reason: string }[], more = 0): ApiError {
  const items = faults.map(({ field, reason }, i) => {
    const others = more > 0 && i === faults.length - 1 ? ` And ${more} more ${more === 1 ? 'fault' : 'faults'}.` : '';
    return errorItem('VALIDATION_ERROR', { reason: `${sayField(field, reason)}${others}` }, field);
  });
  return new ApiError('VALIDATION_ERROR', { reason: items[0]?.message }, { items });
}

const kibibyte = 1024;

/** A 413 that says what the limit is. */
export function tooLarge(mostBytes: number): ApiError {
  const isWhole = mostBytes % kibibyte ** 2 === 0;
  const limit = isWhole ? `${mostBytes / kibibyte ** 2} MiB` : `${Math.floor(mostBytes / kibibyte)} KiB`;
  return new ApiError('PAYLOAD_TOO_LARGE', { limit });
}

export function notFound(what: string): ApiError {
  return new ApiError('NOT_FOUND', { what });
}
