import { Page } from '../../shared/page.tsx';

export default function BuilderPage() {
  return <Page title="Builder">{null}</Page>;
}
