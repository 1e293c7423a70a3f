import { percent } from './numbers.ts';

export const t = {
  asBefore: 'no change',
  change: (share: string) => `${share} vs. the previous period`,
  messagesClicked: 'Messages clicked',
  noneBefore: 'none in the previous period',
  times: (times: number) => `${times}× the previous period`,
  whatIs: (name: string) => `What “${name}” means`,
};

/** A rate, and of what it is one. */
export const rates = {
  ofSent: (rate: number) => `${percent(rate)} of sent`,
  ofDelivered: (rate: number) => `${percent(rate)} of delivered`,
  ofEntered: (rate: number) => `${percent(rate)} of entered`,
  /** Under the title of a column. */
  partOfSent: '(of sent)',
  partOfDelivered: '(of delivered)',
};
