// The browser of the tests. It can reach only this machine.
import { existsSync } from 'node:fs';
import { type Browser, chromium } from 'playwright-core';

export const executablePath = process.env.CHROMIUM_PATH || '/usr/bin/chromium';
export const hasChromium = existsSync(executablePath);

const args = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

export function launchBrowser(...more: string[]): Promise<Browser> {
  return chromium.launch({ executablePath, args: [...args, ...more] });
}
