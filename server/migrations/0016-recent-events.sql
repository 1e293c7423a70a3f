-- For whoever opens the console: the newest events of a tenant, how many of each name there were by day, and what went wrong lately.

-- Totals of a name, those of event_delta not among them. Events that were erased or dropped since stay counted: a count names nobody.
alter table event_name
  -- Folded for search as the service folds, whatever the database's locale. Null: the database's own folding.
  add column name_folded text,
  add column events bigint not null default 0,
  add column first_at timestamptz(3),
  add column last_at timestamptz(3);

-- Events of a name by the day of their date, in UTC.
create table event_day (
  tenant_id bigint not null,
  event_name text not null,
  day date not null,
  events bigint not null,
  primary key (tenant_id, event_name, day)
);

-- What was stored since a worker folded last. Whoever stores events only adds rows, so nobody waits for anybody.
create table event_delta (
  tenant_id bigint not null,
  delta_no bigint generated always as identity,
  event_name text not null,
  day date not null,
  events bigint not null,
  first_at timestamptz(3) not null,
  last_at timestamptz(3) not null,
  primary key (tenant_id, delta_no)
);

-- Where the newest events are. An index of `event` by arrival would cost every event; this has a row for each name of each run
-- that stored some, with the keys of its newest 200, and a name keeps about 200 in all. Events are stored under the tenant's
-- lock, so the numbers of a tenant become visible in their order, and a cursor misses nothing.
create sequence event_arrival_no;
create table event_arrival (
  tenant_id bigint not null,
  event_name text not null,
  arrival_no bigint not null,
  -- Null: from before this was kept.
  received_at timestamptz(3),
  -- How many keys there are. Erasure and retention take some away, and leave the row: it is where a cursor may stand.
  kept integer not null,
  event_nos bigint[] not null,
  contact_ids uuid[] not null,
  event_dates timestamptz(3)[] not null,
  primary key (tenant_id, event_name, arrival_no)
);
create index event_arrival_order on event_arrival (tenant_id, arrival_no);
-- Ids and times hardly shrink: trying to takes longer than writing them.
alter table event_arrival alter column event_nos set storage external, alter column contact_ids set storage external,
  alter column event_dates set storage external;

insert into event_day (tenant_id, event_name, day, events)
select tenant_id, event_name, (event_date at time zone 'UTC')::date, count(*) from event group by 1, 2, 3;

insert into event_name as n (tenant_id, name, events, first_at, last_at)
select tenant_id, event_name, count(*), min(event_date), max(event_date) from event group by 1, 2
on conflict (tenant_id, name) do update
  set events = excluded.events, first_at = excluded.first_at, last_at = excluded.last_at;

insert into event_arrival (tenant_id, event_name, arrival_no, received_at, kept, event_nos, contact_ids, event_dates)
select tenant_id, event_name, 0, null, count(*), array_agg(event_no order by event_no),
  array_agg(contact_id order by event_no), array_agg(event_date order by event_no)
from (
  select *, row_number() over (partition by tenant_id, event_name order by event_no desc) as place from event
) e where place <= 200 group by tenant_id, event_name;

-- What went wrong in the last day is counted from these alone. Few rows are in them, so few writes touch them.
create index email_activity_rejected on email_activity (tenant_id, occurred_at) where outcome = 'rejected';
create index enrolment_faulty on enrolment (tenant_id, ended_at) where state = 'exited' and reason = 'error';
