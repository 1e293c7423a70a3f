import { Page } from '../../shared/page.tsx';

export default function WebhooksPage() {
  return <Page title="Webhooks">{null}</Page>;
}
