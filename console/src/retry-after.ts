const atMostAttempts = 5;
const atMostSeconds = 30;

/** How long to wait before asking again after a 429; undefined when it is time to tell the person instead. */
export function retryDelayMs(retryAfter: string | null, attempt: number): number | undefined {
  if (attempt >= atMostAttempts) return undefined;
  const seconds = Math.max(1, Number.parseInt(retryAfter ?? '', 10) || 1);
  return seconds > atMostSeconds ? undefined : seconds * 1000;
}
