/** The parts of CodeMirror's Text that are needed, so that this can be tried without an editor. */
interface Lines {
  readonly lines: number;
  readonly length: number;
  line(number: number): { from: number; to: number };
}

/** Where a line and column (both from 1) are in the text; what lies beyond it counts as its end. */
export function offsetOf(doc: Lines, line: number, column: number): number {
  if (line > doc.lines) return doc.length;
  const { from, to } = doc.line(Math.max(1, line));
  return Math.min(to, from + Math.max(0, column - 1));
}
