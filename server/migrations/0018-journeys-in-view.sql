-- Journeys sort by name, and their runs can be looked at: how many each enrolled, newest first.
create index journey_by_name on journey (tenant_id, name_folded collate "C", journey_id) where deleted_at is null;

alter table journey_run add column enrolled bigint not null default 0;
update journey_run r set enrolled = n.enrolled
from (
  select tenant_id, run_id, count(*) as enrolled from enrolment where run_id is not null group by tenant_id, run_id
) n where n.tenant_id = r.tenant_id and n.run_id = r.run_id;
create index journey_run_newest on journey_run (tenant_id, journey_no, run_at desc, run_id desc);
