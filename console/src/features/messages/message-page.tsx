import { Page } from '../../shared/page.tsx';

export default function MessagePage() {
  return <Page title="Message">{null}</Page>;
}
