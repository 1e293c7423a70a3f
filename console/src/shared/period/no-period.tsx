import { t } from '../../texts/reports.ts';
import { EmptyState } from '../empty-state.tsx';
import { ClockIcon } from '../icons.tsx';
import type { PeriodFault } from './period.ts';

/** Instead of numbers where a period is none: zeros, or those of another period, would look like an answer. */
export function NoPeriod({ fault }: { fault: PeriodFault }) {
  return <EmptyState icon={<ClockIcon />} {...t.noPeriods[fault]} />;
}
