import { expect, it } from 'vitest';
import { isJsonBody } from './render-bodies.js';

it.each<[string, Record<string, string>, boolean]>([
  ['{"a": 1}', {}, true],
  [' \n[1]', {}, true],
  ['{% assign x = 1 %}{"a": {{x}}}', {}, true],
  ['{{event | json}}', {}, false],
  ['Hello {{first_name}}', {}, false],
  ['a={{x}}', {}, false],
  ['{"a": 1}', { 'content-type': 'text/plain' }, false],
  ['{"a": 1}', { 'Content-Type': 'application/vnd.api+json; charset=utf-8' }, true],
  ['{"a": 1}', { 'X-Type': 'text/plain' }, true],
])('a body %j with %j is JSON: %s', (body, headers, isJson) => expect(isJsonBody(body, headers)).toBe(isJson));
