import { describe, expect, it } from 'vitest';
import { enteredOf, resultOf } from './entered-value.ts';

describe('a value of a property', () => {
  it.each([['pro'], [12], [-0.5], [true], [false], [['a', 'b']]])('is %j again when nothing was changed', (value) => {
    expect(resultOf(enteredOf(value))).toEqual({ value });
  });

  it('is asked for where there is none', () => {
    expect(resultOf(enteredOf(undefined))).toEqual({ fault: 'value' });
    expect(resultOf({ ...enteredOf(1), number: '' })).toEqual({ fault: 'number' });
    expect(resultOf({ ...enteredOf(['a']), list: [] })).toEqual({ fault: 'value' });
    expect(resultOf({ ...enteredOf(''), text: '   ' })).toEqual({ fault: 'value' });
  });
});
