import { Page } from '../../shared/page.tsx';

export default function OrganizationsPage() {
  return <Page title="Organizations">{null}</Page>;
}
