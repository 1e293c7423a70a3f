import { t } from '../../texts/reports.ts';
import { EmptyState } from '../empty-state.tsx';
import { ClockIcon } from '../icons.tsx';

/** Instead of numbers where a period ends before it starts: zeros would look like an answer. */
export function NoPeriod() {
  return <EmptyState icon={<ClockIcon />} title={t.noPeriod} text={t.noPeriodText} />;
}
