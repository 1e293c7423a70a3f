import { describe, expect, it } from 'vitest';
import { bodyOf, faultsIn, fieldsOf } from './branding-fields.ts';

const unset = {
  ...{ name: null, logoUrl: null, accentColor: null, backgroundColor: null },
  ...{ darkAccentColor: null, darkBackgroundColor: null },
};

describe('the look of public pages', () => {
  it('is sent as null where a field is empty', () => {
    const fields = fieldsOf({ ...unset, name: 'Acme' });
    expect(fields).toMatchObject({ name: 'Acme', accentColor: '' });
    expect(bodyOf({ ...fields, accentColor: ' #0b6b4f ' })).toEqual({ ...unset, name: 'Acme', accentColor: '#0b6b4f' });
  });

  it('has colors of six digits, and a logo that is an https address', () => {
    const faults = (change: object) =>
      Object.entries(faultsIn({ ...fieldsOf(unset), ...change })).flatMap(([name, fault]) => (fault ? [name] : []));
    expect(faults({})).toEqual([]);
    expect(faults({ accentColor: '#FFD400', logoUrl: 'https://a.example/x.png' })).toEqual([]);
    expect(faults({ accentColor: 'red', darkBackgroundColor: '#fff' })).toEqual(['accentColor', 'darkBackgroundColor']);
    for (const logoUrl of ['http://a.example/', 'https://', 'x']) expect(faults({ logoUrl })).toEqual(['logoUrl']);
  });
});
