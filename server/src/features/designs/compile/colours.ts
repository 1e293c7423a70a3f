// Arithmetic of colours, written as #rrggbb. Contrast as WCAG 2.2 defines it.

type Channels = readonly [number, number, number];

function channelsOf(colour: string): Channels {
  const value = Number.parseInt(colour.slice(1), 16);
  return [(value >> 16) & 255, (value >> 8) & 255, value & 255];
}

function colourOf(channels: Channels): string {
  return `#${channels
    .map((channel) =>
      Math.round(Math.min(255, Math.max(0, channel)))
        .toString(16)
        .padStart(2, '0'),
    )
    .join('')}`;
}

function luminanceOf(colour: string): number {
  const [r, g, b] = channelsOf(colour).map((channel) => {
    const part = channel / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  }) as unknown as Channels;
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

/** From 1 to 21. */
export function contrastOf(a: string, b: string): number {
  const [low, high] = [luminanceOf(a), luminanceOf(b)].sort((x, y) => x - y) as [number, number];
  return (high + 0.05) / (low + 0.05);
}

/** A part of `a`, the rest of `b`. */
export function mix(a: string, b: string, part: number): string {
  const [one, other] = [channelsOf(a), channelsOf(b)];
  return colourOf(one.map((channel, i) => channel * part + (other[i] as number) * (1 - part)) as unknown as Channels);
}

export function isDark(colour: string): boolean {
  return luminanceOf(colour) < 0.18;
}

/** The colour itself if it can be read on the ground; else moved towards white or black until it can. */
export function readableOn(ground: string, colour: string, contrast: number): string {
  const goal = isDark(ground) ? '#ffffff' : '#000000';
  for (let part = 1; part > 0; part -= 0.05) {
    const moved = mix(colour, goal, part);
    if (contrastOf(moved, ground) >= contrast) return moved;
  }
  return goal;
}

/** The same hue, as dark as `lightness` (0 to 1) says. */
export function darkened(colour: string, lightness: number): string {
  const channels = channelsOf(colour);
  const [low, high] = [Math.min(...channels), Math.max(...channels)];
  // A little of the hue stays: greys stay grey.
  const tint = high === low ? 0 : Math.min(0.35, (high - low) / 255);
  return colourOf(
    channels.map((channel) => {
      const around = high === low ? 0 : (channel - (high + low) / 2) / (high - low);
      return 255 * lightness * (1 + around * tint);
    }) as unknown as Channels,
  );
}
