-- Subjects and links in the activity of people who were erased before erasing took them out: a subject has names in it, a link keys.

-- Activity is counted by contact and month, and the counts stay, so they lead to everybody who ever had some: a row for each month of
-- a person instead of one for each mail, open and click. Each month is then one step down the key of its partition. A loop, because
-- a join might rather read all activity. Nobody else writes these rows, so nobody waits.
do $$
declare
  gone record;
begin
  for gone in
    select c.tenant_id, c.contact_id, c.month from marketing_activity_count c
    where not exists (select from contact p where p.tenant_id = c.tenant_id and p.contact_id = c.contact_id)
  loop
    update marketing_activity set email_subject = null, link_url = null
    where tenant_id = gone.tenant_id and contact_id = gone.contact_id
      and event_date >= month_start(greatest(gone.month, 12)) and event_date < month_start(greatest(gone.month, 12) + 1)
      and (email_subject is not null or link_url is not null);
  end loop;
end $$;
