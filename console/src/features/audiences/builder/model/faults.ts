// The service's errors about a filter, each with its path.
import { ApiFailure } from '@rapport/client';
import { isOperator, readFault } from '@rapport/contract';
import { t } from '../../../../texts/filter.ts';

export interface Fault {
  /** `filter.all[2].gt` */
  readonly path: string;
  readonly message: string;
}

/** The faults in an error; none if it was about something else. */
export function faultsOf(error: unknown): readonly Fault[] {
  if (!(error instanceof ApiFailure) || error.status !== 400) return [];
  return error.items.flatMap(({ detail = '' }) => {
    const { place, words } = readFault(detail) ?? {};
    return place && words && /^filter\b/.test(place) ? [{ path: place, message: words }] : [];
  });
}

/** A fault is shown at its condition: at the innermost node on its path. */
export function faultsByNode(faults: readonly Fault[], paths: ReadonlyMap<string, string>): Map<string, string[]> {
  const byNode = new Map<string, string[]>();
  for (const { path, message } of faults) {
    const [nearest] = [...paths]
      .filter(([, place]) => path === place || path.startsWith(`${place}.`) || path.startsWith(`${place}[`))
      .toSorted(([, one], [, other]) => other.length - one.length);
    if (!nearest) continue;
    const [id, place] = nearest;
    byNode.set(id, [...(byNode.get(id) ?? []), sayBelow(path.slice(place.length), message)]);
  }
  return byNode;
}

/** With the key that it is about, as far as the builder does not show it: “not known here” alone says nothing. */
function sayBelow(place: string, message: string): string {
  const key = place.replace(/^\./, '');
  return key === '' || isOperator(key) ? message : t.faultAt(key, message);
}
