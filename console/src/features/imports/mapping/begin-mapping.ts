// Where a mapping begins: as last time, as a preset has it, or from the names and values of the columns.
import type { FileHead } from '../file/read-file.ts';
import { type PresetId, presetIds, recognize, withPreset } from '../presets/presets.ts';
import { guessMapping, withChoices } from './mapping.ts';
import type { ColumnChoice, Known, MappedColumn } from './mapping-target.ts';

export const beginnings = ['last', ...presetIds, 'guess'] as const;
export type Beginning = (typeof beginnings)[number];

/** What suits a file best. */
export function bestBeginning(head: FileHead, last: readonly ColumnChoice[] | undefined): Beginning {
  return last ? 'last' : (recognize(head.header) ?? 'guess');
}

export function beginMapping(
  beginning: Beginning,
  head: FileHead,
  known: Known,
  last: readonly ColumnChoice[] | undefined,
): MappedColumn[] {
  const guessed = guessMapping(head.header, head.rows, known);
  if (beginning === 'guess') return guessed;
  if (beginning === 'last') return withChoices(guessed, last ?? []);
  return withPreset(beginning satisfies PresetId, guessed, head.rows, known);
}
