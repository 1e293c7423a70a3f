import { Page } from '../../shared/page.tsx';

export default function DynamicListPage() {
  return <Page title="Dynamic list">{null}</Page>;
}
