-- What contacts do: product events and marketing activity by month, what tells repeats apart, and Segment calls that wait or were refused.

-- A month is the number of months since year 0: 24322 is November 2026. Numbers are quicker to compare and to step than dates.
create function month_of(at timestamptz) returns integer language sql immutable parallel safe as
$$ select (extract(year from at at time zone 'UTC') * 12 + extract(month from at at time zone 'UTC') - 1)::integer $$;
create function month_start(month integer) returns timestamptz language sql immutable parallel safe as
$$ select make_timestamptz(month / 12, month % 12 + 1, 1, 0, 0, 0, 'UTC') $$;

-- One partition a month, made ahead. What belongs to no month that was made is in *_elsewhen, and moves once its month is made.
-- The key is the order of reading, and the only index.
create table event (
  tenant_id bigint not null,
  contact_id uuid not null,
  event_date timestamptz(3) not null,
  -- The number of its write and its place there: breaks ties in the order of arrival, and leads an erasure to the results.
  event_no bigint not null,
  event_name text not null,
  user_id text,
  org_id text,
  -- Null: none.
  properties jsonb,
  primary key (tenant_id, contact_id, event_date, event_no)
) partition by range (event_date);
create table event_elsewhen partition of event default;
create index event_elsewhen_date on event_elsewhen (event_date);

-- How many events a contact has in a month: a total is a sum of these, and a late page skips whole months.
-- Updated in place: the free room keeps such updates out of the index.
create table event_count (
  tenant_id bigint not null,
  contact_id uuid not null,
  month integer not null,
  events bigint not null,
  primary key (tenant_id, contact_id, month)
) with (fillfactor = 75);

-- Months before `month` have been dropped: readers and writers go by it. Counts of months before `swept_to` are gone too.
-- One row.
create table event_floor (
  is_only boolean primary key default true check (is_only),
  month integer not null,
  swept_to integer not null default 0
);
insert into event_floor (month) values (0);

-- Ids of events that were stored, for 30 days. Not a part of `event`: a unique key there would need the date in it.
-- Hashed: 16 bytes instead of up to 255 characters, and nothing of a person. No index by age, which would cost a third more
-- with every event: old rows are found by walking along the table, a little every minute.
create table event_key (
  tenant_id bigint not null,
  key uuid not null,
  seen_at timestamptz(3) not null,
  primary key (tenant_id, key)
);

-- What came of the mail that a contact got.
create sequence marketing_activity_no;
create table marketing_activity (
  tenant_id bigint not null,
  contact_id uuid not null,
  event_date timestamptz(3) not null,
  event_no bigint not null default nextval('marketing_activity_no'),
  event_name text not null
    check (event_name in ('sent', 'delivered', 'opened', 'clicked', 'bounced', 'unsubscribed', 'complained')),
  journey_id asset_id,
  journey_run_id text,
  email_id asset_id,
  email_subject text,
  link_url text,
  is_machine boolean not null default false,
  primary key (tenant_id, contact_id, event_date, event_no)
) partition by range (event_date);
create table marketing_activity_elsewhen partition of marketing_activity default;
create index marketing_activity_elsewhen_date on marketing_activity_elsewhen (event_date);

create table marketing_activity_count (
  tenant_id bigint not null,
  contact_id uuid not null,
  month integer not null,
  events bigint not null,
  primary key (tenant_id, contact_id, month)
) with (fillfactor = 75);

-- Makes the partition of a month, and moves there what had to wait elsewhere. Everybody waits meanwhile: a statement that
-- was planned before, and waited for the lock of the default partition alone, would look for the rows where they were, and
-- a count would be short, an erasure miss them. The new partition gets its index once its rows are in.
create function make_month(parent text, month integer) returns boolean language plpgsql as $$
declare
  child text := parent || to_char(month_start(month) at time zone 'UTC', '_YYYY_MM');
  elsewhen text := parent || '_elsewhen';
begin
  perform pg_advisory_xact_lock(7237004, hashtext(parent));
  if to_regclass(child) is not null then return false; end if;
  execute format('create table %I (like %I including defaults including constraints including storage)', child, parent);
  execute format('lock table only %I, %I in access exclusive mode', parent, elsewhen);
  execute format(
    'with moved as (delete from %I where event_date >= %L and event_date < %L returning *) insert into %I select * from moved',
    elsewhen, month_start(month), month_start(month + 1), child);
  execute format('alter table %I attach partition %I for values from (%L) to (%L)',
    parent, child, month_start(month), month_start(month + 1));
  return true;
end $$;

create function drop_month(parent text, month integer) returns void language plpgsql as $$
begin
  perform pg_advisory_xact_lock(7237004, hashtext(parent));
  execute format('drop table if exists %I', parent || to_char(month_start(month) at time zone 'UTC', '_YYYY_MM'));
end $$;

-- What Segment's identify and group said of users that are not known yet. It is theirs once they are.
create table waiting_user (
  tenant_id bigint not null,
  user_id text not null,
  traits jsonb not null default '{}',
  org_ids text[] not null default '{}',
  first_at timestamptz(3) not null,
  primary key (tenant_id, user_id)
);
create index waiting_user_age on waiting_user (first_at);

-- Segment calls that were refused: the caller got a 200 all the same, as Segment's clients expect.
create table ingest_refusal (
  tenant_id bigint not null,
  refusal_no bigint generated always as identity,
  received_at timestamptz(3) not null,
  call text not null,
  message_id text,
  user_id text,
  reason text not null,
  primary key (tenant_id, refusal_no)
);
create index ingest_refusal_age on ingest_refusal (received_at);
create index ingest_refusal_user on ingest_refusal (tenant_id, user_id) where user_id is not null;

-- An erasure finds the results that name events of the person by the number of their write.
create index write_transaction_events on write_transaction (tenant_id, seq)
  where status = 'DONE' and kind = 'event.batch';
-- And those that name them once more, as repeats: few have any.
create index write_transaction_repeats on write_transaction (tenant_id, seq)
  where status = 'DONE' and kind = 'event.batch' and results like '{"repeats":true,%';
