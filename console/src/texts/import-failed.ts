// Rows of an import that failed, and how they are corrected.
import { counted, whole } from './numbers.ts';

export const t = {
  correct: (rows: number) =>
    rows === 1
      ? 'Correct the cells and import the row again. It becomes a new import.'
      : 'Correct the cells and import the rows again. They become a new import.',
  datePlaceholder: '2026-04-03',
  download: 'Download failed rows',
  faults: {
    badAddress: 'Not an email address.',
    badDate: 'Write the date as 2026-04-03.',
    badWord: 'Write yes, no or nothing.',
    badStatus: 'Write unsubscribed, bounced, complained, manual or nothing.',
  },
  firstOf: (shown: number, all: number) =>
    `The first ${whole(shown)} of ${counted(all, 'row')}. Correct them here, or download all, correct the file and import it again.`,
  loading: 'Loading failed rows…',
  more: (rows: number) => `Show ${whole(rows)} more`,
  noAddress: 'No email address.',
  onceDone: 'You can correct them here once the import is done.',
  onlyDownload: 'Download these rows to see why they failed, correct the file and import it again.',
  row: (row: number) => `Line ${whole(row)}`,
  send: (rows: number) => (rows === 0 ? 'Import corrected rows' : `Import ${counted(rows, 'corrected row')}`),
  sendAgain: 'Import again',
  sendHint: 'Rows you change are imported. Select others to import them unchanged.',
  sendRow: (row: number) => `Import line ${whole(row)} again`,
  sentAgain: 'Imported again',
  stillWrong: (rows: number) =>
    `${counted(rows, 'row', 'rows')} still ${rows === 1 ? 'has' : 'have'} something to correct.`,
  title: (rows: number) => counted(rows, 'failed row'),
  unnamed: 'No name',
};
