import { t } from '../texts/reports.ts';
import { DownloadButton } from './download-button.tsx';

/** What the page shows, as a file: the same numbers and period, every row. */
export function CsvButton({ path, name }: { path: string; name: string }) {
  return <DownloadButton path={path} fileName={name} label={t.csv} />;
}
