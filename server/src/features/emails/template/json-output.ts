// Values in a template that produces JSON: no value can end the string it is in, or add anything around it.
import { toValue } from 'liquidjs';

/** The value of an output. How it is written depends on its position: see JsonPosition. */
export class JsonValue {
  constructor(readonly value: unknown) {}
}

/** Tracks whether the output so far ends inside a JSON string or outside. */
export class JsonPosition {
  private isInText = false;
  private isEscaped = false;

  follow(text: string): void {
    for (let i = 0; i < text.length; i++) {
      const code = text.charCodeAt(i);
      if (this.isEscaped) this.isEscaped = false;
      else if (code === backslash) this.isEscaped = this.isInText;
      else if (code === quote) this.isInText = !this.isInText;
    }
  }

  write({ value: given }: JsonValue): string {
    const value = toValue(given) as unknown;
    if (this.isInText) return JSON.stringify(textOf(value)).slice(1, -1);
    // A number that is stored as text stays a number; any other text is quoted.
    if (typeof value === 'string') return isScalar(value) ? value : JSON.stringify(value);
    return JSON.stringify(value ?? null) ?? 'null';
  }
}

const [quote, backslash] = [0x22, 0x5c];

function isScalar(text: string): boolean {
  return /^(?:-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null)$/.test(text);
}

/** Written as outputs are elsewhere: a list without separators. */
function textOf(given: unknown): string {
  const value = toValue(given);
  if (value === null || value === undefined) return '';
  return Array.isArray(value) ? value.map(textOf).join('') : String(value);
}
