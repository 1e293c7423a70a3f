import { Page } from '../../../shared/page.tsx';

export default function JourneysPage() {
  return <Page title="Journeys">{null}</Page>;
}
