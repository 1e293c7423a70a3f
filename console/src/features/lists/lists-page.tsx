import { Page } from '../../shared/page.tsx';

export default function ListsPage() {
  return <Page title="Lists">{null}</Page>;
}
