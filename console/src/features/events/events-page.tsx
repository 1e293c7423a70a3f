import { Page } from '../../shared/page.tsx';

export default function EventsPage() {
  return <Page title="Events">{null}</Page>;
}
