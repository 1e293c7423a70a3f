// @vitest-environment happy-dom
import { screen, waitFor } from '@testing-library/react';
import { useState } from 'react';
import { expect, it, vi } from 'vitest';
import { scriptService, stage } from '../../test/stage.tsx';
import { Modal } from './dialog.tsx';

scriptService();

function Opener({ onKey }: { onKey?: (event: { key: string }) => void }) {
  const [depth, setDepth] = useState(0);
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: stands for a panel that listens to keys
    <div onKeyDown={onKey}>
      <button type="button" onClick={() => setDepth(1)}>
        Open
      </button>
      {depth > 0 && (
        <Modal opened onClose={() => setDepth(0)} title="Behind">
          <button type="button" onClick={() => setDepth(2)}>
            Ask
          </button>
          {depth > 1 && (
            <Modal opened onClose={() => setDepth(1)} title="In front">
              <button type="button">Yes</button>
            </Modal>
          )}
        </Modal>
      )}
    </div>
  );
}

it('closes only the dialog in front with Escape', async () => {
  const { user } = stage(<Opener />);
  await user.click(screen.getByText('Open'));
  await user.click(screen.getByText('Ask'));
  await user.keyboard('{Escape}');
  expect(screen.queryByText('In front')).toBeNull();
  expect(screen.getByText('Behind')).toBeDefined();
  await user.keyboard('{Escape}');
  expect(screen.queryByText('Behind')).toBeNull();
});

it('keeps Escape from the panel that it was opened from', async () => {
  const onKey = vi.fn<(event: { key: string }) => void>();
  const { user } = stage(<Opener onKey={onKey} />);
  await user.click(screen.getByText('Open'));
  await waitFor(() => expect(screen.getByRole('dialog').contains(document.activeElement)).toBe(true));
  await user.keyboard('{Escape}');
  expect(onKey.mock.calls.filter(([event]) => event.key === 'Escape')).toEqual([]);
});

it('gives the focus back to what opened it', async () => {
  const { user } = stage(<Opener />);
  const opener = screen.getByText('Open');
  await user.click(opener);
  await user.keyboard('{Escape}');
  await waitFor(() => expect(document.activeElement).toBe(opener));
});
