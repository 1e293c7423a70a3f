import { encode } from 'uqr';
import { type Html, html } from '../../../http/page.js';

/** A QR code as SVG, without a script or a style: cameras want four empty modules around it. */
export function qrCode(text: string, label: string): Html {
  const { data, size } = encode(text, { ecc: 'M', border: 4 });
  const dark = data.flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? [`M${x} ${y}h1v1h-1z`] : [])));
  return html`<svg class="qr" viewBox="0 0 ${size} ${size}" role="img" aria-label="${label}" shape-rendering="crispEdges"><path d="${dark.join('')}"/></svg>`;
}
