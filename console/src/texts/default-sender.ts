// The sender of new emails, in the settings.
export const sender = {
  title: 'Default sender',
  about: 'New emails start with it. Existing emails don’t change.',
  fromEmail: 'From address',
  fromName: 'From name',
  replyTo: 'Reply-to',
  replyToHint: 'Same as sender',
  save: 'Save',
  saved: 'New emails now start with this sender.',
  remove: 'Remove the default',
  removed: 'New emails now start without a sender.',
  none: 'None',
};
