// Texts say `npm run rapport -- …`, as it is called in the project's folder. Installed as a package, the command is `rapport`.
const isInstalled = import.meta.url.includes('/node_modules/');

export function asCalled(text: string): string {
  return isInstalled ? text.replaceAll(/npm run (?:--silent )?rapport --/g, 'rapport') : text;
}
