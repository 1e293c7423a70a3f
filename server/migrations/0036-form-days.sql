-- What was sent by forms before their counts were kept by day, too. Views and the days of confirmations were not kept.
insert into counter_delta (tenant_id, counter, delta)
select s.tenant_id, 'form:' || encode(s.form_id, 'hex') || ':' || case s.outcome when 'refused' then 'refused' else 'submitted' end || ':'
  || to_char(s.at at time zone 'UTC', 'YYYY-MM-DD'), count(*)
from form_submission s join form f on f.tenant_id = s.tenant_id and f.form_id = s.form_id and f.deleted_at is null
group by 1, 2;
