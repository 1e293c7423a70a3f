// Durations of the API (`P2D`, `PT12H`, `P2W`) as people say them.
export type Unit = 'weeks' | 'days' | 'hours' | 'minutes' | 'seconds';

const form = /^P(?:(\d+)W|(?:(\d+)D)?(?:T(?:(\d+)H)?(?:(\d+)M)?(?:(\d+)S)?)?)$/;
const order: readonly Unit[] = ['weeks', 'days', 'hours', 'minutes', 'seconds'];
const lengths: Record<Unit, number> = {
  ...{ weeks: 604_800_000, days: 86_400_000, hours: 3_600_000, minutes: 60_000, seconds: 1000 },
};

export type Amount = { readonly amount: number; readonly unit: Unit };

/** Its parts, largest first; undefined for what is no duration. A sign before it is the caller's. */
export function partsOf(text: string): Amount[] | undefined {
  const match = form.exec(text);
  if (!match || text === 'P' || text.endsWith('T')) return undefined;
  return order.flatMap((unit, at) => {
    const found = match[at + 1];
    return found === undefined ? [] : [{ amount: Number(found), unit }];
  });
}

/** Of one unit, as a form shows it; the smallest unit of several. */
export function amountOf(text: string): Amount | undefined {
  const parts = partsOf(text);
  if (!parts || parts.length === 0) return undefined;
  if (parts.length === 1) return parts[0];
  const { unit } = parts.at(-1) as Amount;
  return { amount: milliseconds(text) / lengths[unit], unit };
}

export function durationOf({ amount, unit }: Amount): string {
  switch (unit) {
    case 'weeks':
      return `P${amount}W`;
    case 'days':
      return `P${amount}D`;
    default:
      return `PT${amount}${unit[0]?.toUpperCase()}`;
  }
}

/** 0 for what is no duration; negative with a `-` before it. */
export function milliseconds(text: string): number {
  const sign = text.startsWith('-') ? -1 : 1;
  const parts = partsOf(text.replace(/^[+-]/, '')) ?? [];
  return parts.length === 0 ? 0 : sign * parts.reduce((sum, { amount, unit }) => sum + amount * lengths[unit], 0);
}

/** `2 days`, `1 hour 30 minutes`; the text itself where it is none. */
export function sayDuration(text: string): string {
  const parts = partsOf(text);
  if (!parts || parts.length === 0) return text;
  return parts.map(({ amount, unit }) => `${amount} ${amount === 1 ? unit.slice(0, -1) : unit}`).join(' ');
}
