// What is being typed that opens a menu: `{{` for a variable, `/` for a block. Pure.

export interface Trigger {
  kind: 'variable' | 'block';
  query: string;
  /** How many characters before the cursor belong to it. */
  length: number;
}

/** `before`: the text of the line up to the cursor. */
export function triggerIn(before: string): Trigger | undefined {
  const variable = /\{\{\s*([\w.]*)$/.exec(before);
  if (variable) return { kind: 'variable', query: variable[1] ?? '', length: variable[0].length };
  const block = /(?:^|\s)(\/([\p{L}\p{N}]*))$/u.exec(before);
  return block ? { kind: 'block', query: block[2] ?? '', length: block[1]?.length ?? 0 } : undefined;
}

export interface Choice<Value> {
  label: string;
  note: string;
  value: Value;
}

const most = 8;

/** Those that begin with what was typed come first. */
export function choicesFor<Value>(query: string, all: readonly Choice<Value>[]): Choice<Value>[] {
  const asked = query.toLowerCase();
  const at = ({ label }: Choice<Value>) => label.toLowerCase().indexOf(asked);
  return all
    .filter((choice) => at(choice) >= 0)
    .sort((one, other) => Math.sign(at(one)) - Math.sign(at(other)))
    .slice(0, most);
}
