// Progress for people: a bar that moves on a terminal, a plain line now and then anywhere else.

const barWidth = 28;
const redrawMs = 100;
const lineMs = 5000;

/**
 * @param {{ label: string, unit: (amount: number) => string, output?: NodeJS.WriteStream }} options
 */
export function progressBar({ label, unit, output = process.stderr }) {
  const start = performance.now();
  let shownAt = Number.NEGATIVE_INFINITY;
  let shown = '';

  /**
   * @param {number} done
   * @param {number | undefined} total Unknown for a pipe.
   */
  function text(done, total) {
    const seconds = (performance.now() - start) / 1000;
    const rate = seconds > 0.5 ? `, ${unit(done / seconds)}/s` : '';
    if (!total) return `${label}  ${unit(done)}${rate}`;
    const part = Math.min(done / total, 1);
    const filled = Math.round(part * barWidth);
    const bar = output.isTTY ? `[${'#'.repeat(filled)}${'.'.repeat(barWidth - filled)}] ` : '';
    return `${label}  ${bar}${String(Math.floor(part * 100)).padStart(3)} %  ${unit(done)} of ${unit(total)}${rate}`;
  }

  /** @param {string} line */
  function show(line) {
    if (line === shown) return;
    shown = line;
    shownAt = performance.now();
    // A line that wraps could not be drawn over.
    output.write(output.isTTY ? `\r\x1b[2K${line.slice(0, (output.columns || 80) - 1)}` : `${line}\n`);
  }

  return {
    /**
     * @param {number} done
     * @param {number} [total]
     */
    update(done, total) {
      if (performance.now() - shownAt >= (output.isTTY ? redrawMs : lineMs)) show(text(done, total));
    },
    /**
     * @param {number} done
     * @param {number} [total]
     */
    finish(done, total) {
      show(text(done, total));
      if (output.isTTY) output.write('\n');
    },
    /** Leaves the line free for something else. */
    abandon() {
      if (output.isTTY && shown) output.write('\n');
    },
  };
}

/** @param {number} bytes */
export function megabytes(bytes) {
  return `${(bytes / 1e6).toFixed(1)} MB`;
}

/** @param {number} count */
export function rows(count) {
  const whole = Math.round(count);
  return `${whole.toLocaleString('en-US')} ${whole === 1 ? 'row' : 'rows'}`;
}
