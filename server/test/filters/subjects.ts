// The subjects that the app registers: what filters of the service may be about.
import { Subjects } from '../../src/features/filter-language/subjects.js';
import { enrolmentSubject } from '../../src/features/journeys/enrolments/subject.js';
import { messageSubjectsWith } from '../../src/features/messages/subjects/index.js';

// There are no journeys, so no id is one's.
export const appSubjects = new Subjects([...messageSubjectsWith(async () => false), enrolmentSubject]);
