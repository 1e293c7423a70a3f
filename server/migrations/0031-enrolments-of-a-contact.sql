-- Online: the index that finds a contact's enrolments also tells those that have ended. Contacts may enter a journey again and again, and
-- each event would read all of their past to find the few that are on their way.
create index concurrently if not exists enrolment_by_contact on enrolment (tenant_id, contact_id, ended_at, journey_no)
  where contact_id is not null;
drop index concurrently if exists enrolment_of_contact;
