// The texts of a version as a form has them. Pure.
export interface VersionTexts {
  subject: string;
  preheader: string;
  html: string;
  /** As `datetime-local` has it, in the time of this browser; empty: never. */
  expiresAt: string;
}

/** What a contact gets now, as the html of a version: the links of a preview lead nowhere, and those to unsubscribe are asked for. */
export function versionHtml(preview: string): string {
  return preview
    .replaceAll(/https?:\/\/[^\s"'<>]*\/t\/[up]\/preview\b/g, '{{unsubscribe_url}}')
    .replaceAll(/https?:\/\/[^\s"'<>]*\/t\/[vy]\/preview\b/g, '#');
}
