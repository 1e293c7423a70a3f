import { Page } from '../../shared/page.tsx';

export default function ImportProgressPage() {
  return <Page title="Import progress">{null}</Page>;
}
