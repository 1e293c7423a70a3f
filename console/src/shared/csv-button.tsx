import { t } from '../texts/reports.ts';
import { DownloadButton } from './download-button.tsx';

/** What the page shows, as a file: the same numbers and period, every row. The service names it after its period. */
export function CsvButton({ path }: { path: string }) {
  return <DownloadButton path={path} label={t.csv} />;
}
