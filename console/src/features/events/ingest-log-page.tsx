import { Page } from '../../shared/page.tsx';

export default function IngestLogPage() {
  return <Page title="Ingest log">{null}</Page>;
}
