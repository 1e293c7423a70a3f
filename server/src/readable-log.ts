// Log lines for people: pino writes JSON, and this says the same in words where the output is a terminal.
const names: Record<number, string> = { 10: 'trace', 20: 'debug', 30: 'info', 40: 'WARN', 50: 'ERROR', 60: 'FATAL' };

/** Takes lines of JSON and writes lines for people. Other lines pass unchanged. */
export function readableLog(write: (text: string) => void): { write(line: string): void } {
  return { write: (line) => write(`${readable(line)}\n`) };
}

export function readable(line: string): string {
  try {
    const { level, time, msg, err, ...rest } = JSON.parse(line) as Record<string, unknown>;
    const at = String(time).slice(11, 23);
    const name = (names[level as number] ?? String(level)).padEnd(5);
    const facts = [...Object.entries(rest), ...(err === undefined ? [] : [['err', err] as const])];
    const told = facts.map(
      ([key, value]) => ` ${key}=${typeof value === 'string' ? quoted(value) : JSON.stringify(value)}`,
    );
    return `${at} ${name} ${msg ?? ''}${told.join('')}`;
  } catch {
    return line.trimEnd();
  }
}

// Escaped, so that nothing a client sent can move the terminal's cursor or start a new line.
function quoted(text: string): string {
  return /^[\w./:@+-]+$/.test(text) ? text : JSON.stringify(text).replace(/[\u007f-\u009f]/g, '\ufffd');
}
