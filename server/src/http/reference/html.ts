// The few helpers that every part of the page needs to write HTML safely.

const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => entities[character] ?? character);
}

/** A sentence of the contract: escaped, with `backticks` as code. */
export function prose(text: string): string {
  return escapeHtml(text).replace(/`([^`]+)`/g, '<code>$1</code>');
}

/** A path that may wrap after any of its slashes. */
export function breakable(path: string): string {
  return escapeHtml(path).replace(/(?<=.)\//g, '<wbr>/');
}

interface Cell {
  head: string;
  /** Finished HTML, one for each row. */
  cells: string[];
}

/** A table whose first column names the row. Empty columns are left out. */
export function table(label: string, columns: Cell[]): string {
  const shown = columns.filter((column) => column.cells.some((cell) => cell !== ''));
  const rows = shown[0]?.cells.map((_, row) =>
    shown
      .map(({ cells }, column) =>
        column === 0
          ? `<th scope="row">${cells[row]}</th>`
          : `<td${cells[row] === '' ? ' class="none"' : ''}>${cells[row]}</td>`,
      )
      .join(''),
  );
  if (!rows) return '';
  const heads = shown.map(({ head }) => `<th scope="col">${escapeHtml(head)}</th>`).join('');
  return `<table aria-label="${escapeHtml(label)}"><thead><tr>${heads}</tr></thead>
<tbody>${rows.map((row) => `<tr>${row}</tr>`).join('\n')}</tbody></table>`;
}
