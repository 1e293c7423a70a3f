// @vitest-environment happy-dom
import { screen, waitFor, within } from '@testing-library/react';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { envelope, scriptService, stage, viewer } from '../../../../test/stage.tsx';
import { t } from '../../../texts/import-failed.ts';
import type { ContactImport } from '../import-api.ts';
import { fileOf, readCell } from './correction.ts';
import { type FailedRows, readFailed } from './failed-file.ts';
import { FailedRowsCard } from './failed-rows-card.tsx';

const streamOf = (text: string) => new Response(text).body;
const head = 'E-Mail,Since,Note,_error\r\n';
const columns = 'email,since:date,';

describe('the file of failed rows', () => {
  it('is read with its rows, reasons and cells as they were before a spreadsheet was feared', async () => {
    const file = `${head}nobody,,"'=1+1","row 12: email must be an email address."\r\n,x,"a;'=b",row 14: why\r\n`;
    expect(await readFailed(streamOf(file), columns, 10)).toEqual({
      header: ['E-Mail', 'Since', 'Note'],
      plan: ['email', 'since:date', ''],
      rows: [
        { row: 12, error: 'email must be an email address.', cells: ['nobody', '', '=1+1'] },
        { row: 14, error: 'why', cells: ['', 'x', 'a;=b'] },
      ],
      isCut: false,
    });
  });

  it('is read to the last row that is shown, and no further', async () => {
    const line = 'nobody,,,row 2: why\r\n';
    let asked = 0;
    const endless = new ReadableStream<Uint8Array>({
      pull: (controller) => {
        controller.enqueue(new TextEncoder().encode(asked++ === 0 ? head : line));
        if (asked > 100) throw new Error('too far');
      },
    });
    expect(await readFailed(endless, columns, 3)).toMatchObject({ rows: [{}, {}, {}], isCut: true });
    expect(asked).toBeLessThan(20);
  });

  it('cannot be corrected where the rows did not come back whole, or the columns are not those that were said', async () => {
    expect(await readFailed(streamOf('row,email,error\r\n2,nobody,why\r\n'), undefined, 5)).toBeUndefined();
    expect(await readFailed(streamOf(`${head}a,b,c,row 2: why\r\n`), 'email', 5)).toBeUndefined();
    expect(await readFailed(streamOf(`${head}a,b,c,row 2: why\r\n`), `${columns},`, 5)).toBeDefined();
  });
});

it.each([
  ['email', ' ada@x.de ', { cell: 'ada@x.de' }],
  ['email', '', { fault: 'badAddress' }],
  ['since:date', '3 April 2026', { cell: '2026-04-03' }],
  ['since:date', '03/04/2026', { fault: 'badDate' }],
  ['since:date', '', { cell: '' }],
  ['topic:news', 'TRUE', { cell: 'yes' }],
  ['list:1', 'perhaps', { fault: 'badWord' }],
  ['suppress:reason', 'cleaned', { cell: 'bounced' }],
  ['suppress:reason', 'odd', { fault: 'badStatus' }],
  ['plan', ' as it is ', { cell: ' as it is ' }],
])('reads a %s “%s” as %j', (plan, cell, wanted) => expect(readCell(plan, cell)).toEqual(wanted));

it('writes corrected rows under their own header', () => {
  const failed: FailedRows = { header: ['E-Mail', 'A "b"'], plan: ['email', 'a'], rows: [], isCut: false };
  expect(fileOf(failed, [{ cells: ['a@x.de ', 'x,y'] }])).toBe('E-Mail,"A ""b"""\na@x.de,"x,y"\n');
});

describe('the failed rows of an import', () => {
  const service = scriptService();
  const told: ContactImport = {
    ...{ transactionId: 'tx1', status: 'DONE', format: 'csv', fileName: 'people.csv', createdBy: null },
    ...{ createdAt: '2026-11-15T09:30:00.000Z', doneAt: '2026-11-15T09:30:04.000Z', progress: { done: 3, total: 3 } },
    ...{ counts: { CREATED: 1, UPDATED: 0, NO_CHANGE: 0, FAILED: 2 }, ignoredProperties: [], columns },
    errorsPath: '/exports/transactions/tx1/errors',
  };
  const file = `${head}nobody,2026-04-03,n1,row 2: email must be an email address.\r\nbob@x.de,31/02/2026,n2,row 4: since must be a date.\r\n`;
  const sent: { url: string; text: string }[] = [];

  beforeEach(() => {
    sent.length = 0;
    const scripted = globalThis.fetch;
    vi.stubGlobal('fetch', async (url: string, init: RequestInit) => {
      const { pathname } = new URL(url, 'http://console.test');
      if (pathname === told.errorsPath) return new Response(file, { headers: { 'content-type': 'text/csv' } });
      if (init.body instanceof Blob) sent.push({ url, text: await init.body.text() });
      return scripted(url, init);
    });
    service.answers['POST /v2/contacts/import'] = envelope({ transactionId: 'tx2', createdAt: told.createdAt });
  });
  const rowOf = async (row: number) => within(await screen.findByRole('region', { name: t.row(row) }));

  it('are shown with their reasons; one that is corrected is sent alone, as it was said to be', async () => {
    const { user } = stage(<FailedRowsCard told={told} fileName="x.csv" />);
    const row = await rowOf(4);
    row.getByText('since must be a date.');
    // What was skipped is not there.
    expect(row.queryByLabelText('Note')).toBeNull();
    expect((screen.getByRole('button', { name: t.send(0) }) as HTMLButtonElement).disabled).toBe(true);
    await user.clear(row.getByLabelText('Since'));
    await user.type(row.getByLabelText('Since'), '28 Feb 2026');
    await user.click(await screen.findByRole('button', { name: t.send(1) }));
    await waitFor(() => expect(sent).toHaveLength(1));
    expect(sent[0]?.text).toBe('E-Mail,Since,Note\nbob@x.de,2026-02-28,n2\n');
    const query = new URL(sent[0]?.url ?? '', 'http://console.test').searchParams;
    expect([query.get('columns'), query.get('fileName')]).toEqual([columns, 'people-corrected.csv']);
    expect((await row.findByRole('link', { name: t.sentAgain })).getAttribute('href')).toBe('/imports/tx2');
  });

  it('cannot be sent while something in them is still wrong, and keep what was typed', async () => {
    const { user, unmount } = stage(<FailedRowsCard told={told} fileName="x.csv" />);
    const row = await rowOf(2);
    await user.type(row.getByLabelText('E-Mail'), '@');
    expect(await row.findByText(t.faults.badAddress)).toBeDefined();
    expect((screen.getByRole('button', { name: t.send(1) }) as HTMLButtonElement).disabled).toBe(true);
    unmount();
    stage(<FailedRowsCard told={told} fileName="x.csv" />);
    const typed = async () => ((await rowOf(2)).getByLabelText('E-Mail') as HTMLInputElement).value;
    await waitFor(async () => expect(await typed()).toBe('nobody@'), { timeout: 60_000 });
  });

  it('are sent as they are where somebody ticks them', async () => {
    const { user } = stage(<FailedRowsCard told={{ ...told, columns: 'email,since,' }} fileName="x.csv" />);
    await user.click((await rowOf(4)).getByRole('checkbox', { name: t.sendRow(4) }));
    await user.click(await screen.findByRole('button', { name: t.send(1) }));
    await waitFor(() => expect(sent[0]?.text).toBe('E-Mail,Since,Note\nbob@x.de,31/02/2026,n2\n'));
  });

  it('are only read by a viewer, and wait for the end of a running import', async () => {
    service.answers['GET /v2/me'] = viewer;
    const { again } = stage(<FailedRowsCard told={{ ...told, status: 'PENDING' }} fileName="x.csv" />);
    await screen.findByText(t.onceDone);
    again(<FailedRowsCard told={told} fileName="x.csv" />);
    const row = await rowOf(2);
    await waitFor(() => expect((row.getByLabelText('E-Mail') as HTMLInputElement).readOnly).toBe(true));
    expect(screen.queryByRole('button', { name: t.send(0) })).toBeNull();
  });
});
