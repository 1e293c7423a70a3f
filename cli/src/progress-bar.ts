// Progress for people: a bar that moves on a terminal, a plain line now and then anywhere else.

// Characters between the brackets. A shorter one shows nothing.
const barWidth = { least: 8, most: 28 };
const redrawMs = 100;
const lineMs = 5000;

interface ProgressBarOptions {
  label: string;
  unit: (amount: number) => string;
  output?: NodeJS.WriteStream;
  /** Milliseconds since it began. */
  elapsed?: () => number;
}

interface ProgressBar {
  /** The total is not known of a pipe. */
  update(done: number, total: number | undefined): void;
  finish(done: number, total: number | undefined): void;
  /** Leaves the line free for something else. */
  abandon(): void;
}

export function progressBar({ label, unit, output = process.stderr, elapsed }: ProgressBarOptions): ProgressBar {
  const start = performance.now();
  const since = elapsed ?? (() => performance.now() - start);
  let shownAt = Number.NEGATIVE_INFINITY;
  let shown = '';
  let isAbandoned = false;

  function text(done: number, total: number | undefined): string {
    const seconds = since() / 1000;
    const rate = seconds > 0.5 ? `, ${unit(done / seconds)}/s` : '';
    if (!total) return `${label}  ${unit(done)}${rate}`;
    const part = Math.min(done / total, 1);
    const figures = `${String(Math.floor(part * 100)).padStart(3)} %  ${unit(done)} of ${unit(total)}`;
    if (!output.isTTY) return `${label}  ${figures}${rate}`;
    const room = widthOf(output) - label.length - 2 - figures.length;
    const said = rate.length <= room ? figures + rate : figures;
    return `${label}  ${barOf(part, room + figures.length - said.length)}${said}`;
  }

  function show(line: string): void {
    if (line === shown) return;
    shown = line;
    shownAt = performance.now();
    // A line that wraps could not be drawn over.
    output.write(output.isTTY ? `\r\x1b[2K${line.slice(0, widthOf(output))}` : `${line}\n`);
  }

  return {
    update(done, total) {
      if (!isAbandoned && performance.now() - shownAt >= (output.isTTY ? redrawMs : lineMs)) show(text(done, total));
    },
    finish(done, total) {
      show(text(done, total));
      if (output.isTTY) output.write('\n');
    },
    abandon() {
      isAbandoned = true;
      if (output.isTTY && shown) output.write('\n');
    },
  };
}

/** One column stays free: some terminals wrap as soon as the last is written. */
function widthOf(output: NodeJS.WriteStream): number {
  return (output.columns || 80) - 1;
}

/** As long as there is room for it; the numbers are worth more. */
function barOf(part: number, room: number): string {
  const width = Math.min(room - '[] '.length, barWidth.most);
  if (width < barWidth.least) return '';
  const filled = Math.round(part * width);
  return `[${'#'.repeat(filled)}${'.'.repeat(width - filled)}] `;
}

export function megabytes(bytes: number): string {
  return `${(bytes / 1e6).toFixed(1)} MB`;
}

export function rows(count: number): string {
  const whole = Math.round(count);
  return `${whole.toLocaleString('en-US')} ${whole === 1 ? 'row' : 'rows'}`;
}
