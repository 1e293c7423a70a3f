// liquidjs finds a token's line by counting from the start of the text: 40 s for 5,000 variables at the end of 2 MiB.
// This computes the same numbers from an index of the lines.
import { Token } from 'liquidjs';

let indexed = '';
let lineStarts = [0];

function indexLines(text: string): void {
  indexed = text;
  lineStarts = [0];
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) lineStarts.push(at + 1);
}

/** Row and column of an offset, both from 1. */
export function positionIn(text: string, offset: number): [row: number, column: number] {
  if (text !== indexed) indexLines(text);
  let low = 0;
  let high = lineStarts.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((lineStarts[middle] as number) <= offset) low = middle;
    else high = middle - 1;
  }
  return [low + 1, offset - (lineStarts[low] as number) + 1];
}

export function installFastPositions(): void {
  Token.prototype.getPosition = function () {
    return positionIn(this.input, this.begin);
  };
}
