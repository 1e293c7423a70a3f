import { Page } from '../../shared/page.tsx';

export default function WhyPage() {
  return <Page title="Why">{null}</Page>;
}
