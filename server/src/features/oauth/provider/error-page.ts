// Shows a person what went wrong between an app and us.
import type { ErrorOut, KoaContextWithOIDC } from 'oidc-provider';
import { html, writePage } from '../../../http/page.js';

export function renderError(ctx: KoaContextWithOIDC, { error, error_description: why }: ErrorOut): void {
  const isOver = error === 'invalid_request' && /session|expired|interaction/.test(why ?? '');
  const advice = isOver
    ? 'This took too long, was already finished, or started in another browser. Go back to the app and connect it again.'
    : 'Nothing was shared with the app. Go back to it and try again. If that doesn’t help, tell its developers what is written below.';
  const { headers, text } = writePage({
    title: ctx.status >= 500 ? 'Something went wrong' : 'This app can’t be connected',
    body: html`<p>${advice}</p>
<p class="hint"><code>${error}</code>${why !== undefined && html`: ${why}`}</p>`,
  });
  ctx.set(headers);
  ctx.body = text;
}
