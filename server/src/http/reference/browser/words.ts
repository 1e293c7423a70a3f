// Synonyms for the words of the reference: British and American spellings, plurals, words of other tools.

/** The words in each line mean the same; the first is ours. */
const sameWords = [
  ['enrolment', 'enrollment'],
  ['enrol', 'enroll'],
  ['organization', 'organisation', 'company', 'companies'],
  ['personaliz', 'personalis'],
  ['unsubscrib', 'opt-out', 'optout'],
  ['suppression', 'blocklist', 'blacklist', 'do-not-send'],
  ['split', 'a/b', 'ab-test', 'a/b-test', 'experiment', 'variant'],
  ['delay', 'pause step', 'sleep'],
  ['branch', 'if/else', 'if-else', 'condition'],
  ['journey', 'workflow', 'automation', 'flow', 'campaign', 'drip'],
  ['dynamic-list', 'dynamic list', 'segment', 'audience'],
  ['contact', 'subscriber', 'recipient', 'customer', 'lead'],
  ['propert', 'attribute', 'custom field'],
  ['stats', 'statistic', 'report', 'analytics'],
  ['token', 'api key', 'apikey', 'api-key'],
  ['sending-domain', 'sending domain', 'dkim', 'spf'],
  ['identity-provider', 'identity provider', 'sso', 'single sign-on', 'oidc'],
  ['audit', 'activity trail'],
  ['erase', 'gdpr', 'forget'],
  ['people', 'teammate', 'colleague', 'team'],
];

/** The word itself first, then its synonyms. Without the plural if only that keeps it from being found. */
export function spellingsOf(word: string): string[] {
  const singular = word.length > 3 && word.endsWith('s') && !word.endsWith('ss') ? word.slice(0, -1) : word;
  const meant = sameWords.filter(
    (words) => words.includes(word) || words.includes(singular) || words.some((one) => isBeginning(one, word)),
  );
  return [...new Set([word, singular, ...meant.flat()])];
}

/** Stems such as `personalis`, and words still being typed. */
const isBeginning = (one: string, word: string) =>
  one.length >= 5 && (word.startsWith(one) || (word.length >= 5 && one.startsWith(word)));

export function mentions(text: string, word: string): boolean {
  return spellingsOf(word).some((each) => text.includes(each));
}
