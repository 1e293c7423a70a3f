import { Page } from '../../shared/page.tsx';

export default function ContactsPage() {
  return <Page title="Contacts">{null}</Page>;
}
