/** The key that shortcuts are held with, as this keyboard calls it. */
export const modifierKey = /mac/i.test(navigator.platform) ? '⌘' : 'Ctrl';
