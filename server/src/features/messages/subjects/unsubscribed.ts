// The condition `{"unsubscribed": true}`: whether the contact's address is suppressed as unsubscribed. It reads the contact's property of
// this name, which is set only by suppressing and releasing an address.
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
