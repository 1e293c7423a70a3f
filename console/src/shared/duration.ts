// Durations of the API (`P2D`, `PT12H`, `P2W`) in words.
import { durationMs, durationParts } from '@rapport/contract';

/** 0 for text that is not a duration; negative with a leading `-`. */
export function milliseconds(text: string): number {
  const sign = text.startsWith('-') ? -1 : 1;
  return sign * (durationMs(text.replace(/^[+-]/, '')) ?? 0);
}

/** `2 days`, `1 hour 30 minutes`; the text itself if it is not a duration. */
export function sayDuration(text: string): string {
  const parts = durationParts(text) ?? [];
  if (parts.length === 0) return text;
  return parts.map(({ count, unit }) => `${count} ${count === 1 ? unit.slice(0, -1) : unit}`).join(' ');
}
