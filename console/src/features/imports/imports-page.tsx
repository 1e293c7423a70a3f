import { Page } from '../../shared/page.tsx';

export default function ImportsPage() {
  return <Page title="Imports">{null}</Page>;
}
