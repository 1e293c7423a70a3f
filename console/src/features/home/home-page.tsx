import { Page } from '../../shared/page.tsx';

export default function HomePage() {
  return <Page title="Home">{null}</Page>;
}
