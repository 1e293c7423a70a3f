import { Page } from '../../shared/page.tsx';

export default function OrganizationPage() {
  return <Page title="Organization">{null}</Page>;
}
