// Headers of webhook steps, as any reader may see them. Pure.
import { hiddenHeader, isPlainHeader } from '@rapport/contract';

type Json = Record<string, unknown>;

export interface WebhookStep extends Json {
  id?: unknown;
  url?: unknown;
  headers: Record<string, unknown>;
}

function isWebhook(step: unknown): step is WebhookStep {
  const { type, headers } = (step ?? {}) as Json;
  return type === 'webhook' && typeof headers === 'object' && headers !== null && !Array.isArray(headers);
}

/** A definition in which each secret header is what `change` says. A draft may have anything where its steps should be. */
export function withHeaders(
  definition: Json,
  change: (step: WebhookStep, name: string, value: string) => string,
): Json {
  const { steps } = definition;
  if (!Array.isArray(steps) || !steps.some(isWebhook)) return definition;
  const changed = steps.map((step: unknown) => {
    if (!isWebhook(step)) return step;
    const headers = Object.entries(step.headers).map(([name, value]) => [
      name,
      typeof value === 'string' && !isPlainHeader(name) ? change(step, name, value) : value,
    ]);
    return { ...step, headers: Object.fromEntries(headers) };
  });
  return { ...definition, steps: changed };
}

/** As any reader may see it. */
export function hideHeaders<T extends Json | null>(definition: T): T {
  return (definition && withHeaders(definition, () => hiddenHeader)) as T;
}

/** Puts the stored value back where it was hidden: that of the same header of the same step, as long as the step calls the same host. */
export function revealHeaders(definition: Json, stored: Json | null): Json {
  const known = storedHeaders(stored);
  return withHeaders(definition, (step, name, value) =>
    value === hiddenHeader ? (known.get(keyOf(step, name))?.get(originOf(step.url)) ?? hiddenHeader) : value,
  );
}

export const keyOf = ({ id }: WebhookStep, name: string) => JSON.stringify([id, name.toLowerCase()]);

function originOf(url: unknown): string {
  return typeof url === 'string' && URL.canParse(url) ? new URL(url).origin : '';
}

/** By step and name, then by whom they are for. */
export function storedHeaders(stored: Json | null): Map<string, Map<string, string>> {
  const known = new Map<string, Map<string, string>>();
  withHeaders(stored ?? {}, (step, name, value) => {
    known.set(keyOf(step, name), new Map([[originOf(step.url), value]]));
    return value;
  });
  return known;
}
