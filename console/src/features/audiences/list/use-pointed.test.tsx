// @vitest-environment happy-dom
import { cleanup, render } from '@testing-library/react';
import { afterEach, beforeAll, expect, it } from 'vitest';
import { usePointed } from './use-pointed.ts';

beforeAll(() => {
  Element.prototype.scrollIntoView = () => undefined;
});
afterEach(cleanup);

/** A condition with a filter inside, whose paths begin again, before another condition. */
function Builder({ path }: { path: string | undefined }) {
  return (
    <div ref={usePointed(path)}>
      <div data-path="filter">
        <div data-path="filter.all[0]">
          <div data-path="filter">
            <div data-path="filter.all[1]" />
          </div>
        </div>
        <div data-path="filter.all[1]">
          <button type="button">here</button>
        </div>
      </div>
    </div>
  );
}
const pointed = () =>
  [...document.querySelectorAll<HTMLElement>('[data-pointed]')].map(({ textContent }) => textContent);

it('marks the condition of the list itself, with the keyboard in it', () => {
  const { rerender } = render(<Builder path="filter.all[1]" />);
  expect(pointed()).toEqual(['here']);
  expect(document.activeElement?.textContent).toBe('here');
  rerender(<Builder path={undefined} />);
  expect(pointed()).toEqual([]);
});

it('marks nothing if the filter has changed since', () => {
  render(<Builder path="filter.any[7]" />);
  expect(pointed()).toEqual([]);
});
