import { readFileSync } from 'node:fs';
import { mailProviders, noticeTypes, providerNames } from '@rapport/contract';
import { expect, it } from 'vitest';

const text = readFileSync(new URL('../../../../docs/sending.md', import.meta.url), 'utf8');

it('docs/sending.md has the same table of mail providers as the contract', () => {
  const rows = providerNames.map((name) => {
    const { switchOn, signature } = mailProviders[name];
    return `| \`${name}\` | ${switchOn} | ${signature} |`;
  });
  expect(text).toContain(['| provider | what to switch on there | `key` |', '|---|---|---|', ...rows, ''].join('\n'));
});

it('docs/sending.md names what can be reported as the contract does', () => {
  const [last, ...others] = [...noticeTypes].reverse().map((type) => `\`${type}\``);
  expect(text).toContain(`\`type\` is ${others.reverse().join(', ')} or ${last}`);
});
