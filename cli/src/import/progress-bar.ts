// Progress for people: a bar that moves on a terminal, a plain line now and then anywhere else.

const barWidth = 28;
const redrawMs = 100;
const lineMs = 5000;

interface ProgressBarOptions {
  label: string;
  unit: (amount: number) => string;
  output?: NodeJS.WriteStream;
}

export interface ProgressBar {
  /** The total is not known of a pipe. */
  update(done: number, total: number | undefined): void;
  finish(done: number, total: number | undefined): void;
  /** Leaves the line free for something else. */
  abandon(): void;
}

export function progressBar({ label, unit, output = process.stderr }: ProgressBarOptions): ProgressBar {
  const start = performance.now();
  let shownAt = Number.NEGATIVE_INFINITY;
  let shown = '';
  let isAbandoned = false;

  function text(done: number, total: number | undefined): string {
    const seconds = (performance.now() - start) / 1000;
    const rate = seconds > 0.5 ? `, ${unit(done / seconds)}/s` : '';
    if (!total) return `${label}  ${unit(done)}${rate}`;
    const part = Math.min(done / total, 1);
    const filled = Math.round(part * barWidth);
    const bar = output.isTTY ? `[${'#'.repeat(filled)}${'.'.repeat(barWidth - filled)}] ` : '';
    return `${label}  ${bar}${String(Math.floor(part * 100)).padStart(3)} %  ${unit(done)} of ${unit(total)}${rate}`;
  }

  function show(line: string): void {
    if (line === shown) return;
    shown = line;
    shownAt = performance.now();
    // A line that wraps could not be drawn over.
    output.write(output.isTTY ? `\r\x1b[2K${line.slice(0, (output.columns || 80) - 1)}` : `${line}\n`);
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

export function megabytes(bytes: number): string {
  return `${(bytes / 1e6).toFixed(1)} MB`;
}

export function rows(count: number): string {
  const whole = Math.round(count);
  return `${whole.toLocaleString('en-US')} ${whole === 1 ? 'row' : 'rows'}`;
}
