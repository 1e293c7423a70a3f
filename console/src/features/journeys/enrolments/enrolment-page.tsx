import { Page } from '../../../shared/page.tsx';

export default function EnrolmentPage() {
  return <Page title="Enrolment">{null}</Page>;
}
