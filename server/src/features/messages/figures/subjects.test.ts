import fc from 'fast-check';
import { expect, it } from 'vitest';
import { partsOf, subjectsOf } from './subjects.js';

const asset = fc.stringMatching(/^[0-9a-f]{24}$/);
const step = fc.stringMatching(/^[A-Za-z0-9_-]{1,64}$/);

it('a subject is parsed into the parts it was made from, whatever an arm is called', () => {
  const message = fc.record({
    emailId: asset,
    version: fc.constantFrom('default' as const, 'personalized' as const, null),
    journeyId: asset,
    stepId: step,
    arms: fc.dictionary(step, fc.string({ unit: 'grapheme' }), { maxKeys: 3, noNullPrototype: true }),
    domain: fc.domain(),
    topicId: asset,
    language: fc.constantFrom('de', 'pt-BR'),
  });
  fc.assert(
    fc.property(message, ({ emailId, version, journeyId, stepId, arms, domain, topicId, language }) => {
      const countable = { emailId, version, journeyId, stepId, arms, domain, topicId, language };
      expect(subjectsOf(countable).map(partsOf)).toEqual([
        {},
        { emailId, version },
        { journeyId, stepId, emailId },
        ...Object.entries(arms).map(([split, arm]) => ({ journeyId, stepId: split, arm })),
        { domain },
        { topicId },
        { emailId, language },
      ]);
    }),
  );
});
