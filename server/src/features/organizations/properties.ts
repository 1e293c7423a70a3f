import { ApiError } from '../../http/api-error.js';
import { type Merged, mergeProperties, type Properties } from '../contacts/index.js';

/** The properties after a write. Keys that cannot be stored are ignored; too many or too large properties are refused. */
export function mergedProperties(current: Properties, wanted: Record<string, unknown>): Merged & { ok: true } {
  const merged = mergeProperties(current, wanted, 'organization');
  if (!merged.ok) throw new ApiError('VALIDATION_ERROR', { reason: merged.error }, { detail: 'properties' });
  return merged;
}
