import type { StatsWindow } from '../../shared/period/period.ts';
import type { By } from './by.ts';

/** The input of every report. */
export interface ReportProps {
  window: StatsWindow;
  /** The window in the address: part of the cache key, and unchanged while time passes. */
  periodKey: string;
  by: By;
  /** What a period of the calendar is compared with; other periods, with the days before them. */
  before: StatsWindow | undefined;
  /** When the page was opened. */
  now: number;
}
