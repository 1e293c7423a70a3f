// The subjects that the app registers: what filters of the service may be about.
import { Subjects } from '../../src/features/filter-language/subjects.js';
import { enrolmentSubject } from '../../src/features/journeys/enrolments/subject.js';
import { messageSubjects } from '../../src/features/messages/subjects/index.js';

export const appSubjects = new Subjects([...messageSubjects, enrolmentSubject]);
