import { Page } from '../../shared/page.tsx';

export default function ReportsPage() {
  return <Page title="Reports">{null}</Page>;
}
