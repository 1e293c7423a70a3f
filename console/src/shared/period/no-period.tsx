import { t } from '../../texts/reports.ts';
import { EmptyState } from '../empty-state.tsx';
import { ClockIcon } from '../icons.tsx';
import type { PeriodFault } from './period.ts';

/** Shown instead of numbers if a period is invalid: zeros, or numbers of another period, would look like a result. */
export function NoPeriod({ fault }: { fault: PeriodFault }) {
  return <EmptyState icon={<ClockIcon />} {...t.noPeriods[fault]} />;
}
