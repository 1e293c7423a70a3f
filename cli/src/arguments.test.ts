import { expect, it } from 'vitest';
import { readArguments, type Shape } from './arguments.js';
import { Complaint } from './complaint.js';

const usage = `Usage: npm run rapport -- paint <file> [--colour <name>] [--twice]

  Paints.`;
const shape = {
  usage,
  words: [{ missing: 'Name a file.' }],
  options: { colour: { type: 'string' }, twice: { type: 'boolean' } },
} as const satisfies Shape;

const told = (args: string[], given: Shape = shape): string => {
  try {
    readArguments(args, given);
  } catch (error) {
    expect(error).toBeInstanceOf(Complaint);
    return (error as Complaint).message;
  }
  return expect.unreachable();
};

it('reads words and options in any order', () => {
  expect(readArguments(['a.txt', '--colour', 'red', '--twice'], shape)).toEqual({
    words: ['a.txt'],
    values: { colour: 'red', twice: true },
  });
  expect(readArguments(['--colour=', '-'], shape)).toEqual({ words: ['-'], values: { colour: '' } });
  expect(readArguments(['--', '--odd'], shape)?.words).toEqual(['--odd']);
});

it.each([['-h'], ['--help'], ['a.txt', '--help'], ['--nonsense', '-h']])(
  'answers nothing but help to %s',
  (...args) => {
    expect(readArguments(args, shape)).toBeUndefined();
  },
);

it.each<[string[], string]>([
  [['a.txt', '--color', 'red'], 'There is no option --color.'],
  [['a.txt', '-x'], 'There is no option -x.'],
  [['a.txt', '--colour'], '--colour needs a value.'],
  [['a.txt', '--colour', '--twice'], '--colour needs a value.'],
  [['a.txt', '--twice=yes'], '--twice takes no value.'],
  [[], 'Name a file.'],
  [['a.txt', 'b.txt'], '"b.txt" is one word too many.'],
])('says what is wrong with %j, and how it is called', (args, sentence) => {
  expect(told(args)).toBe(
    `${sentence}\n\nUsage: npm run rapport -- paint <file> [--colour <name>] [--twice]\nMore: npm run rapport -- paint --help`,
  );
});

it('names what can be done where a word must be one of some', () => {
  const choice: Shape = { usage, words: [{ oneOf: ['new-key', 'rotate'] }], options: {} };
  expect(told([], choice)).toMatch(/^Say what to do: new-key or rotate\.\n/);
  expect(told(['turn'], choice)).toMatch(/^"turn" is nothing that it can do\. Say new-key or rotate\.\n/);
  expect(readArguments(['rotate'], choice)?.words).toEqual(['rotate']);
});
