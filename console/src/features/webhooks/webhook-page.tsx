import { Page } from '../../shared/page.tsx';

export default function WebhookPage() {
  return <Page title="Webhook">{null}</Page>;
}
