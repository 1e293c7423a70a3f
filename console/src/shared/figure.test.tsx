// @vitest-environment happy-dom
import { screen } from '@testing-library/react';
import { expect, it } from 'vitest';
import { scriptService, stage } from '../../test/stage.tsx';
import { Figure } from './figure.tsx';

scriptService();

const against = (now: number, then: number) => ({ now, then });

it('tells a change of a count in percent, and one of a share in points', () => {
  const figure = { label: 'Clicks', value: '', definition: '' };
  stage(
    <>
      <Figure {...figure} before={against(30, 20)} />
      <Figure {...figure} before={{ ...against(0.3, 0.2), isShare: true }} />
    </>,
  );
  expect(screen.getByText('+50% vs. the previous period')).toBeDefined();
  expect(screen.getByText('+10 points vs. the previous period')).toBeDefined();
});
