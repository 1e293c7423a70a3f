import { Page } from '../../shared/page.tsx';

export default function MessagesPage() {
  return <Page title="Messages">{null}</Page>;
}
