import { describe, expect, it } from 'vitest';
import { isProxyOrScanner, isScanner, knownAgents } from './agents.js';

const webKit = 'AppleWebKit/605.1.15 (KHTML, like Gecko)';
const chrome = 'AppleWebKit/537.36 (KHTML, like Gecko) Chrome/124.0.0.0';

describe('a person reads with', () => {
  it.each([
    ['Thunderbird', 'Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Thunderbird/128.4.3'],
    ['an old Thunderbird', 'Mozilla/5.0 (Windows; U; Windows NT 6.1; de; rv:1.9.2.9) Gecko/20100825 Thunderbird/3.1.3'],
    ['Outlook', 'Microsoft Office/16.0 (Windows NT 10.0; Microsoft Outlook 16.0.17928; Pro)'],
    [
      'Outlook 2013',
      'Mozilla/4.0 (compatible; MSIE 7.0; Windows NT 6.1; WOW64; Trident/7.0; SLCC2; .NET CLR 2.0.50727; Microsoft Outlook 15.0.4753; ms-office; MSOffice 15)',
    ],
    ['Outlook that says little', 'Mozilla/4.0 (compatible; ms-office; MSOffice 16)'],
    ['Outlook for iOS', 'Outlook-iOS/2.0'],
    ['Outlook for Mac', 'MacOutlook/16.85.24051214 (Intelx64 Mac OS X Version 14.5 (Build 23F79))'],
    [
      'the new Outlook',
      `Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${chrome} Safari/537.36 Edg/124.0.0.0 OneOutlook/1.2024.515.300`,
    ],
    ['Apple Mail', `Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) ${webKit}`],
    ['an iPhone', `Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) ${webKit} Mobile/15E148`],
    [
      'the Gmail app, following a link',
      `Mozilla/5.0 (iPhone; CPU iPhone OS 17_5_1 like Mac OS X) ${webKit} GSA/317.0.634488990 Mobile/15E148 Safari/604.1`,
    ],
    [
      'the Yahoo app',
      `Mozilla/5.0 (iPhone; CPU iPhone OS 16_0 like Mac OS X) ${webKit} Mobile/15E148 YahooMobileMail/1.0 (iPhone)`,
    ],
    ['Evolution', 'Evolution/3.52.1'],
    ['KMail', 'Mozilla/5.0 (X11; U; Linux; en-US) AppleWebKit/527 (KHTML, like Gecko) KMail/5.24'],
    ['Lotus Notes', 'Mozilla/4.0 (compatible; Lotus-Notes/6.0; Windows-NT)'],
    ['Airmail', 'Airmail 5.7 rv:745'],
    ['K-9', 'Mozilla/5.0 (Linux; Android 13) K-9 Mail/6.8'],
    ['Chrome', `Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${chrome} Safari/537.36`],
    ['Firefox', 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:125.0) Gecko/20100101 Firefox/125.0'],
    [
      'the first Edge',
      'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/42.0.2311.135 Safari/537.36 Edge/12.246',
    ],
    ['Internet Explorer', 'Mozilla/5.0 (Windows NT 6.1; WOW64; Trident/7.0; rv:11.0) like Gecko'],
    ['a Cubot', `Mozilla/5.0 (Linux; Android 12; CUBOT NOTE 21) ${chrome} Mobile Safari/537.36`],
    ['an unknown agent', 'Postfach/1.0'],
    ['no name', null],
    ['an empty name', ''],
  ])('%s', (_who, agent) => {
    expect(isProxyOrScanner(agent)).toBe(false);
    expect(isScanner(agent)).toBe(false);
  });
});

describe('a proxy, which opens but does not click, is', () => {
  it.each([
    ['Gmail', 'Mozilla/5.0 (Windows NT 5.1; rv:11.0) Gecko Firefox/11.0 (via ggpht.com GoogleImageProxy)'],
    [
      'Gmail ahead of time',
      'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/42.0.2311.135 Safari/537.36 Edge/12.246 Mozilla/5.0',
    ],
    ['Apple', 'Mozilla/5.0'],
    ['Yahoo', 'YahooMailProxy; https://help.yahoo.com/kb/yahoo-mail-proxy-SLN28749.html'],
  ])('%s', (_who, agent) => {
    expect(isProxyOrScanner(agent)).toBe(true);
    expect(isScanner(agent)).toBe(false);
  });
});

describe('a scanner is', () => {
  it.each([
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 Microsoft Office Existence Discovery',
    'Barracuda Sentinel (EE)',
    'BarracudaCentral',
    'Mozilla/5.0 (compatible; Proofpoint URL Defense)',
    'Mimecast',
    'Symantec MessageLabs',
    'Mozilla/5.0 (Windows NT 6.1; WOW64) SkypeUriPreview Preview/0.5',
    'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)',
    'Slackbot-LinkExpanding 1.0 (+https://api.slack.com/robots)',
    'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) HeadlessChrome/120.0 Safari/537.36',
    'curl/8.5.0',
    'python-requests/2.31.0',
    'Go-http-client/2.0',
    'Java/17.0.9',
    'Apache-HttpClient/4.5.14 (Java/17)',
  ])('%s', (agent) => {
    expect(isScanner(agent)).toBe(true);
    expect(isProxyOrScanner(agent)).toBe(true);
  });
});

it('an agent may be as long as it likes', () => {
  expect(isScanner(`${'x '.repeat(1_000_000)}Googlebot`)).toBe(false);
  expect(isScanner(`Googlebot ${'x '.repeat(1_000_000)}`)).toBe(true);
});

it('every entry matches in any letter case', () => {
  for (const { who, says } of knownAgents) expect(says.flags, who).toBe('i');
});
