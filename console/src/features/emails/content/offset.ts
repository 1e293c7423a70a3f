/** The parts of CodeMirror's Text that are needed, so that this can be tested without an editor. */
interface Lines {
  readonly lines: number;
  readonly length: number;
  line(number: number): { from: number; to: number };
}

/** The offset of a line and column (both from 1) in the text; a position beyond it counts as its end. */
export function offsetOf(doc: Lines, line: number, column: number): number {
  if (line > doc.lines) return doc.length;
  const { from, to } = doc.line(Math.max(1, line));
  return Math.min(to, from + Math.max(0, column - 1));
}
