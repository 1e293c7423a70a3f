// User agents that request pictures and links of a mail without a person: mailbox proxies, which fetch pictures for
// readers or in advance, and scanners, which check where links lead.
//
// Only those that identify themselves: a scanner that claims to be Chrome is found by how it clicks (judge.ts), and an
// unknown agent counts as a person. A change here changes what counts, so it needs a new `rulesVersion` there.
// That is also why this is not a package: isbot treats unknown agents as bots, and changes with each release.
//
// As of 2026-11-16, collected from
// - Google: Gmail's picture proxy, and SparkPost's study of 9.8 billion opens for its prefetching (January 2022):
//   https://www.sparkpost.com/blog/gmail-prefetching-images/
// - Mailgun on Apple's proxy, which sends only `Mozilla/5.0`: https://www.mailgun.com/blog/product/bot-detection/
// - Yahoo: https://help.yahoo.com/kb/yahoo-mail-proxy-SLN28749.html
// - Corporate scanners: https://wordtothewise.com/2013/07/barracuda-filters-clicking-all-links/,
//   https://campus.barracuda.com/product/sentinel/doc/498468311/unwanted-link-clicks,
//   https://www.suped.com/email-deliverability/answers/which-corporate-filter-appliances-or-software-follow-links-in-emails
// - Bots in general: what the common HTTP libraries and headless browsers send, and the word itself.

interface KnownAgent {
  who: string;
  /** A proxy fetches pictures, for a reader or in advance; it follows no links. A scanner does both. */
  kind: 'proxy' | 'scanner';
  says: RegExp;
}

export const knownAgents: readonly KnownAgent[] = [
  { who: 'Gmail, pictures for a reader', kind: 'proxy', says: /GoogleImageProxy|\bggpht\.com\b/i },
  { who: 'Gmail, ahead of a reader', kind: 'proxy', says: /\bEdge\/12\.246 Mozilla\/5\.0$/i },
  { who: 'Apple Mail Privacy Protection', kind: 'proxy', says: /^Mozilla\/5\.0$/i },
  { who: 'Yahoo and AOL', kind: 'proxy', says: /YahooMailProxy/i },
  {
    who: 'Other mailboxes, by the word',
    kind: 'proxy',
    says: /(image|img|mail|media|content)[ _-]?proxy/i,
  },

  { who: 'Microsoft Defender Safe Links', kind: 'scanner', says: /safe-?links|Microsoft Defender/i },
  // Outlook's own agent is `Microsoft Office/16.0 (…)`: a person.
  { who: 'Microsoft Office, looking for servers', kind: 'scanner', says: /Office (Existence|Protocol) Discovery/i },
  { who: 'Microsoft previews', kind: 'scanner', says: /BingPreview|SkypeUriPreview|MicrosoftPreview/i },
  { who: 'Barracuda', kind: 'scanner', says: /barracuda|cudasvc/i },
  { who: 'Proofpoint', kind: 'scanner', says: /proofpoint|urldefense/i },
  { who: 'Mimecast', kind: 'scanner', says: /mimecast/i },
  { who: 'Symantec, MessageLabs', kind: 'scanner', says: /symantec|messagelabs|blue ?coat/i },
  { who: 'Cisco', kind: 'scanner', says: /ironport|cisco ?(secure|umbrella|email|talos)/i },
  { who: 'Trend Micro', kind: 'scanner', says: /trend ?micro|\bTMES\b/i },
  { who: 'Sophos', kind: 'scanner', says: /sophos/i },
  { who: 'Fortinet', kind: 'scanner', says: /forti(mail|gate|guard|net)/i },
  { who: 'Trellix, McAfee, FireEye', kind: 'scanner', says: /trellix|mcafee|fireeye/i },
  { who: 'Forcepoint, Websense', kind: 'scanner', says: /forcepoint|websense/i },
  { who: 'Check Point, Avanan', kind: 'scanner', says: /avanan|check ?point/i },
  {
    who: 'Others that filter mail',
    kind: 'scanner',
    says: /hornetsecurity|spamexperts|spamhaus|rspamd|spamassassin|clamav|zscaler|cloudmark|vade ?(secure|retro)/i,
  },
  {
    who: 'Others that look at links',
    kind: 'scanner',
    says: /virustotal|urlscan|phishtank|netcraft|google-?safety|link ?(check|scan|expand|preview)|url ?(check|scan|expand|preview)/i,
  },
  {
    who: 'Previews of messengers',
    kind: 'scanner',
    says: /slack-?(bot|imgproxy)|facebookexternalhit|whatsapp\/|telegrambot|discordbot|linkedinbot|twitterbot|embedly|iframely/i,
  },
  // Not Cubot, which makes phones.
  { who: 'Bots, by the word', kind: 'scanner', says: /(?<!cu)bots?\b|crawler|spider|scraper|\bscanner\b/i },
  {
    who: 'Browsers without a screen',
    kind: 'scanner',
    says: /headless|phantomjs|puppeteer|playwright|selenium|webdriver/i,
  },
  {
    who: 'Libraries',
    kind: 'scanner',
    says: /^(curl|wget|libcurl|python|aiohttp|httpx|go-http-client|java|okhttp|apache-httpclient|libwww-perl|lwp|php|guzzlehttp|ruby|faraday|axios|node-fetch|got|postmanruntime|httpie)\b|python-(requests|urllib)|scrapy/i,
  },
];

const anyKnownAgent = new RegExp(knownAgents.map(({ says }) => says.source).join('|'), 'i');
const scanners = knownAgents.filter(({ kind }) => kind === 'scanner');
const scanner = new RegExp(scanners.map(({ says }) => says.source).join('|'), 'i');

/** A user agent may be any length; the part that identifies it comes early. */
export const mostAgentLength = 500;

/** `agent` is the `User-Agent` of a request, null if it has none. */
export function isProxyOrScanner(agent: string | null): boolean {
  return agent !== null && anyKnownAgent.test(agent.slice(0, mostAgentLength).trim());
}

export function isScanner(agent: string | null): boolean {
  return agent !== null && scanner.test(agent.slice(0, mostAgentLength).trim());
}
