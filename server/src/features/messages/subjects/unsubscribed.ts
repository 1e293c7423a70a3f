// The condition `{"unsubscribed": true}`: whether the contact's address is suppressed as unsubscribed. That is what its property of
// this name says, which only suppressing and releasing an address sets.
import { placeOf, readBoolean, refuseOthers, type Subject } from '../../filter-language/index.js';
import { testUnsubscribed } from './queries.js';

export const unsubscribedSubject: Subject<boolean> = {
  key: 'unsubscribed',
  isPlain: true,
  read(fields, path) {
    refuseOthers(fields, path, ['unsubscribed']);
    return readBoolean(fields.unsubscribed, placeOf(path, 'unsubscribed'));
  },
  say: (wanted) => (wanted ? 'is unsubscribed' : 'is not unsubscribed'),
  reads: () => ['property:unsubscribed'],
  compile: testUnsubscribed,
};
