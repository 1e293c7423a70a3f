// What the figures are called, on the pages of the console and in its files.
/** By the name of a count in the API. */
export const countTitles = {
  sent: 'Sent',
  delivered: 'Delivered',
  opened: 'All opens',
  uniqueOpened: 'Opened',
  clicked: 'All clicks',
  uniqueClicked: 'Clicked',
  bounced: 'Bounced',
  hardBounced: 'Hard bounces',
  softBounced: 'Soft bounces',
  unsubscribed: 'Unsubscribed',
  complained: 'Complaints',
  failed: 'Failed',
  machineOpened: 'Automated opens',
  machineClicked: 'Automated clicks',
  engaged: 'Engaged',
} as const;

export const rateTitles = {
  deliveryRate: 'Delivery rate',
  openRate: 'Open rate',
  clickRate: 'Click rate',
  clickToOpenRate: 'Click-to-open',
  bounceRate: 'Bounce rate',
  unsubscribeRate: 'Unsubscribe rate',
  complaintRate: 'Complaint rate',
} as const;

export const passageTitles = {
  entered: 'Entered',
  completed: 'Completed',
  exited: 'Exited early',
  inProgress: 'In progress',
  reachedGoal: 'Reached the goal',
  goalRate: 'Conversion',
} as const;
