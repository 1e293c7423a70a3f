import { encode } from 'uqr';

/** A QR code as the path of an SVG, and the length of its sides: cameras want four empty modules around it. */
export function qrCode(text: string): { path: string; size: number } {
  const { data, size } = encode(text, { ecc: 'M', border: 4 });
  const dark = data.flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? [`M${x} ${y}h1v1h-1z`] : [])));
  return { path: dark.join(''), size };
}
