import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, it } from 'vitest';
import { DownloadIcon, UploadIcon } from './icons.tsx';

/** Where the tip of the arrow is: between the two ends of its head. */
const tipOf = (markup: string) => /M6\.8 ([\d.]+) 10 ([\d.]+)/.exec(markup)?.slice(1).map(Number);

it('points down where a file is downloaded, and up where one is uploaded', () => {
  const [downEnds = 0, downTip = 0] = tipOf(renderToStaticMarkup(createElement(DownloadIcon))) ?? [];
  expect(downTip).toBeGreaterThan(downEnds);
  const [upEnds = 0, upTip = 0] = tipOf(renderToStaticMarkup(createElement(UploadIcon))) ?? [];
  expect(upTip).toBeLessThan(upEnds);
});
