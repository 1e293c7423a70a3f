import { Page } from '../../shared/page.tsx';

export default function StaticListPage() {
  return <Page title="Static list">{null}</Page>;
}
