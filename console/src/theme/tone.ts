/** The meaning of a colour: of a badge, a mark, a line of a timeline. */
export type Tone = 'good' | 'warn' | 'bad' | 'info' | 'quiet';
