// @vitest-environment happy-dom
import { ApiFailure } from '@rapport/client';
import { screen } from '@testing-library/react';
import { expect, it, vi } from 'vitest';
import { scriptService, stage } from '../../test/stage.tsx';
import { ErrorState } from './error-state.tsx';

scriptService();

const offline = new ApiFailure(0, [{ errorCode: 'NO_ANSWER', message: 'The service cannot be reached. Try again.' }]);
const busy = new ApiFailure(503, [{ errorCode: 'NOT_READY', message: 'The service is starting.' }], {
  requestId: 'r-1',
});
const limited = new ApiFailure(429, [{ errorCode: 'TOO_MANY_REQUESTS', message: 'Too many requests.' }], {
  requestId: 'r-2',
});
const gone = new ApiFailure(404, [{ errorCode: 'NOT_FOUND', message: 'There is no such email.' }]);

it('tries again by itself once the browser is online again', () => {
  const retry = vi.fn();
  const { unmount } = stage(<ErrorState error={offline} onRetry={retry} />);
  expect(screen.getByRole('alert').textContent).toContain('cannot be reached');
  window.dispatchEvent(new Event('online'));
  expect(retry).toHaveBeenCalledOnce();
  unmount();
  window.dispatchEvent(new Event('online'));
  expect(retry).toHaveBeenCalledOnce();
});

it('does not try again by itself after an answer of the service', () => {
  const retry = vi.fn();
  stage(<ErrorState error={busy} onRetry={retry} />);
  window.dispatchEvent(new Event('online'));
  expect(retry).not.toHaveBeenCalled();
});

it('gives the id that support asks for after a fault of the service', () => {
  stage(<ErrorState error={busy} onRetry={() => undefined} />);
  expect(screen.getByText('Request r-1')).toBeDefined();
});

it('says what a limit says, without an id, and offers to try again', async () => {
  const retry = vi.fn();
  const { user } = stage(<ErrorState error={limited} onRetry={retry} />);
  expect(screen.getByText('Too many requests.')).toBeDefined();
  expect(screen.queryByText(/r-2/)).toBeNull();
  await user.click(screen.getByRole('button', { name: 'Try again' }));
  expect(retry).toHaveBeenCalledOnce();
});

it('offers no second try for what is not there', () => {
  stage(<ErrorState error={gone} onRetry={() => undefined} />);
  expect(screen.getByRole('heading', { name: 'Not found' })).toBeDefined();
  expect(screen.queryByRole('button')).toBeNull();
});

it('calls what is not there by the name that people know', () => {
  stage(<ErrorState error={gone} missing="No such letter." />);
  expect(screen.getByText(/^No such letter\. It may have been deleted/)).toBeDefined();
  expect(screen.queryByText(/no such email/)).toBeNull();
});

it('says what is wrong when it is no answer of the API', () => {
  stage(<ErrorState error={new Error('Out of cheese.')} />);
  expect(screen.getByRole('heading', { name: 'Something went wrong' })).toBeDefined();
  expect(screen.getByText('Out of cheese.')).toBeDefined();
});
