// The subjects that the app registers: what the service's filters may be about.
import { topicSubject } from '../../src/features/consent/filter/subject.js';
import type { Subject } from '../../src/features/filter-language/subject.js';
import { Subjects } from '../../src/features/filter-language/subjects.js';
import { enrolmentSubject } from '../../src/features/journeys/enrolments/subject.js';
import { messageSubjectsWith } from '../../src/features/messages/subjects/index.js';

// There are no journeys, so no id is a journey.
export const appSubjects = new Subjects([
  ...messageSubjectsWith(async () => false),
  topicSubject as Subject,
  enrolmentSubject as Subject,
]);
