import { Page } from '../../shared/page.tsx';

export default function ImportPage() {
  return <Page title="Import">{null}</Page>;
}
