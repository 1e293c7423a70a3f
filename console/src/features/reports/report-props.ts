import type { StatsWindow } from '../../shared/period/period.ts';
import type { By } from './by.ts';

/** What every report is about. */
export interface ReportProps {
  window: StatsWindow;
  /** The window in the address: names the answer, and stays the same while time goes on. */
  periodKey: string;
  by: By;
}
