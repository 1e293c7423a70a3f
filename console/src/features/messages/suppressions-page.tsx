import { Page } from '../../shared/page.tsx';

export default function SuppressionsPage() {
  return <Page title="Suppressions">{null}</Page>;
}
