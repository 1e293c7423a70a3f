-- A turn now stores what it notes of an enrolment as one row. It used to store a row a line: seven for a contact who passes a branch, an update and
-- an exit, a quarter of what the database did for an event that starts a journey. Lines from before stay where they are.
create table enrolment_turn (
  tenant_id bigint not null,
  enrolment_id uuid not null,
  turn_no bigint generated always as identity,
  at timestamptz(3) not null,
  -- [[what, stepId, code, subjects], …]: nulls at the end of a line are left out.
  lines json not null,
  primary key (tenant_id, enrolment_id, turn_no)
);
-- Statistics count parts of an hour from these lines.
create index enrolment_turn_at on enrolment_turn (tenant_id, at);
-- Numbers go on where the old table stopped: a later line has a higher one, in either table.
select setval(pg_get_serial_sequence('enrolment_turn', 'turn_no'),
  coalesce(pg_sequence_last_value(pg_get_serial_sequence('enrolment_event', 'event_no')::regclass), 1));

-- The lines of timelines, in the order of `no` and `place`.
create view enrolment_line as
  select tenant_id, enrolment_id, event_no as no, 0 as place, at, what, step_id, code, subjects, detail from enrolment_event
  union all
  select t.tenant_id, t.enrolment_id, t.turn_no, l.place::integer, t.at, l.line ->> 0, l.line ->> 1, l.line ->> 2,
    nullif(l.line -> 3, 'null'), null
  from enrolment_turn t cross join lateral jsonb_array_elements(t.lines::jsonb) with ordinality as l (line, place);
