// What can happen to mail. Needs no TypeBox: the console's builder uses it too.

/** What can come of a mail, as a contact's marketing activity and filters name it. */
export const marketingEventNames = [
  'sent',
  'delivered',
  'opened',
  'clicked',
  'bounced',
  'unsubscribed',
  'complained',
] as const;
export type MarketingEventName = (typeof marketingEventNames)[number];

/** What a provider, or a mail that comes back, can report about a message. */
export const noticeTypes = ['delivered', 'bounced', 'complained', 'unsubscribed'] as const;
export type NoticeType = (typeof noticeTypes)[number];
