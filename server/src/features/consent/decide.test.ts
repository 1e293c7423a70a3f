import { type ConsentSource, consentSources, topicStates } from '@rapport/contract';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { changed, confirmedBy, decide, type Standing } from './decide.js';

const sources = Object.keys(consentSources) as ConsentSource[];
const source = fc.constantFrom(...sources);
const wish = fc.record({ state: fc.constantFrom(...topicStates), source });

/** What stands after some wishes, from nothing. */
function after(wishes: readonly { state: Standing['state']; source: ConsentSource }[]): Standing | undefined {
  let now: Standing | undefined;
  for (const each of wishes)
    now = decide(now, each) === 'changed' ? changed(now, each) : (confirmedBy(now, each) ?? now);
  return now;
}
const standing = fc.array(wish, { maxLength: 5 }).map(after);

describe('whatever was said before', () => {
  it('saying the same again is no change', () => {
    fc.assert(
      fc.property(standing, wish, (now, said) => {
        if (decide(now, said) !== 'changed') return;
        expect(decide(changed(now, said), said)).toBe('same');
      }),
    );
  });

  it('everyone may unsubscribe, and those who vouch may subscribe', () => {
    fc.assert(
      fc.property(standing, source, (now, by) => {
        const mayDo = (verdict: string) => expect(['changed', 'same']).toContain(verdict);
        mayDo(decide(now, { state: 'unsubscribed', source: by }));
        for (const vouching of ['api', 'person', 'page', 'oneClick', 'confirmation'] as const)
          mayDo(decide(now, { state: 'subscribed', source: vouching }));
      }),
    );
  });

  it('a form takes nothing away: who is subscribed stays so', () => {
    fc.assert(
      fc.property(standing, fc.constantFrom('subscribed', 'pending'), (now, state) => {
        if (now?.state === 'subscribed') expect(decide(now, { state, source: 'form' })).not.toBe('changed');
      }),
    );
  });
});

describe('who unsubscribed', () => {
  const left = (by: ConsentSource, ...more: { state: Standing['state']; source: ConsentSource }[]) =>
    after([{ state: 'unsubscribed', source: by }, ...more]);
  const asked = { state: 'pending', source: 'form' } as const;
  const yes = (by: ConsentSource) => ({ state: 'subscribed', source: by }) as const;

  it.each(sources)('by %s is not subscribed by an import or a form, nor while the answer to a mail is out', (by) => {
    for (const now of [left(by), left(by, asked), left(by, asked, asked)])
      for (const via of ['import', 'form'] as const) expect(decide(now, yes(via))).toBe('kept');
  });

  it.each(sources)('by %s is subscribed by a journey only where it was not said on a page or by one-click', (by) => {
    const expected = by === 'page' || by === 'oneClick' ? 'kept' : 'changed';
    for (const now of [left(by), left(by, asked)]) expect(decide(now, yes('journey'))).toBe(expected);
  });

  it.each(['page', 'oneClick'] as const)('by others, and then by %s, keeps to that, whoever says it again', (own) => {
    const said = (by: ConsentSource) => ({ state: 'unsubscribed', source: by }) as const;
    for (const now of [left('api', said(own)), left(own, said('api')), left(own, asked, said('journey'))]) {
      expect(decide(now, yes('journey'))).toBe('kept');
      expect(decide(now, said('page'))).toBe('same');
      expect(decide(now, yes('api'))).toBe('changed');
    }
    expect(left('api', said(own))).toEqual({ ...said('api'), refusedBy: own });
    expect(left('api', said(own), yes('api'))).toEqual({ ...yes('api'), refusedBy: null });
    expect(decide(left('api', said(own), yes('api'), said('api')), yes('journey'))).toBe('changed');
  });

  it('can be asked again, and the answer ends it', () => {
    expect(decide(left('page'), asked)).toBe('changed');
    expect(decide(left('page', asked), yes('confirmation'))).toBe('changed');
    expect(left('page', asked, yes('confirmation'), asked)).toEqual({ ...yes('confirmation'), refusedBy: null });
  });

  it('and said nothing of the kind is subscribed by an import, also while the answer to a mail is out', () => {
    for (const now of [undefined, after([asked])]) expect(decide(now, yes('import'))).toBe('changed');
  });
});
