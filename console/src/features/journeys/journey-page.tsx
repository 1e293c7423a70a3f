import { Page } from '../../shared/page.tsx';

export default function JourneyPage() {
  return <Page title="Journey">{null}</Page>;
}
