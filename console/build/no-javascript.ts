// The HTML editor would bring a whole parser of JavaScript for scripts inside of emails, a fifth of its size. No email has any that runs: in its place is a
// language that knows nothing.
import type { Plugin } from 'vite';

const name = '@codemirror/lang-javascript';
const id = '\0no-javascript';

export function noJavascript(): Plugin {
  return {
    name: 'no-javascript',
    enforce: 'pre',
    resolveId: (source) => (source === name ? id : undefined),
    load: (source) => (source === id ? moduleText : undefined),
  };
}

const moduleText = `
import { LanguageSupport, StreamLanguage } from '@codemirror/language';
const plain = StreamLanguage.define({ token: (stream) => (stream.skipToEnd(), null) });
// What reads JSON asks for a parser of another top.
plain.parser.configure = () => plain.parser;
export const javascriptLanguage = plain;
export const typescriptLanguage = plain;
export const jsxLanguage = plain;
export const tsxLanguage = plain;
export const javascript = () => new LanguageSupport(plain);
`;
