import { Page } from '../../shared/page.tsx';

export default function SettingsPage() {
  return <Page title="Settings">{null}</Page>;
}
