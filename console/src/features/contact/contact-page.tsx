import { Page } from '../../shared/page.tsx';

export default function ContactPage() {
  return <Page title="Contact">{null}</Page>;
}
