// The console's colours, under the console's names: a test compares them with console/src/theme/tokens.css. Every combination
// of text and background meets WCAG AA (4.5 to 1).

const light = `--page: #fcfcfd; --surface: #ffffff; --surface-sunken: #f6f6f9; --surface-hover: #f4f4f7;
  --line: #e6e7ec; --line-strong: #d5d6de; --text: #1c2024; --text-quiet: #60646c;
  --accent-text: #4a4ac4; --accent-soft: #eeeefc; --good: #18794e; --good-soft: #e6f6ec; --warn: #8f5600; --warn-soft: #fef3dd;
  --bad: #c0262d; --bad-soft: #feebec; --info: #0b68a8; --info-soft: #e6f2fb;
  --code-tag: #0b68a8; --code-attribute: #8a4b00; --code-string: #18794e; --code-comment: #6b6f78;
  --code-token: #6a3fb5; --code-token-soft: #f3edfd; --ring: #5b5bd6;`;

const dark = `--page: #141517; --surface: #191b1e; --surface-sunken: #101113; --surface-hover: #212327;
  --line: #2a2d31; --line-strong: #3a3e44; --text: #edeef0; --text-quiet: #abafb6;
  --accent-text: #b1b3ff; --accent-soft: #26264d; --good: #4cc38a; --good-soft: #12301f; --warn: #f1a10d; --warn-soft: #372204;
  --bad: #ff9592; --bad-soft: #3d1517; --info: #70b8ff; --info-soft: #0d2b47;
  --code-tag: #70b8ff; --code-attribute: #e9b872; --code-string: #6fd3a2; --code-comment: #8b909a;
  --code-token: #cbb3ff; --code-token-soft: #2c2147; --ring: #b0b2f5;`;

/** Follows the system, unless the reader chose otherwise in the console. */
export const colourCss = `
:root {
  color-scheme: light; ${light}
}
@media (prefers-color-scheme: dark) {
  :root:not([data-scheme="light"]) { color-scheme: dark; ${dark} }
}
:root[data-scheme="dark"] { color-scheme: dark; ${dark} }
`;
