-- Journeys: definitions and their versions, who is on the way, what they wait for, news that no journey has seen yet, runs; and webhooks that leave.

-- Where people are when nothing says so. Null: UTC.
alter table tenant add column time_zone text;

-- `definition` is what was last saved. `version` is the one that contacts enter: it counts the definitions that were ever active.
create table journey (
  tenant_id bigint not null references tenant,
  journey_id asset_id not null,
  journey_no integer generated always as identity,
  name text not null,
  name_folded text not null,
  name_grams integer[] not null,
  type text not null check (type in ('batch', 'trigger')),
  tags text[] not null default '{}',
  folder_id asset_id,
  definition jsonb,
  -- The dynamic list that a batch journey goes to. A draft's definition may say anything.
  audience_id bytea generated always as (
    case when type = 'batch' and definition #>> '{entry,audience,dynamicListId}' ~ '^[0-9a-f]{24}$'
      then decode(definition #>> '{entry,audience,dynamicListId}', 'hex') end) stored,
  -- Counts edits, so that two editors notice each other.
  revision integer not null default 1,
  state text not null default 'draft' check (state in ('draft', 'active', 'inactive')),
  version integer,
  -- The last activation: news that were acknowledged before it do not count.
  activated_at timestamptz(3),
  paused_at timestamptz(3),
  -- Of an active batch journey with a run ahead.
  next_run_at timestamptz(3),
  -- Deactivated or deleted, and enrolments of it are still to be ended.
  is_stopping boolean not null default false,
  -- Versions that those of earlier ones are still to be moved to, one after the other: edits with `inFlight: move`.
  moves integer[] not null default '{}',
  -- Of an entry by date: the contacts up to this one were looked at. `dates_built`: all were.
  dates_to uuid,
  dates_built boolean not null default true,
  created_by bigint not null,
  updated_by bigint not null,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  deleted_at timestamptz(3),
  primary key (tenant_id, journey_id),
  unique (tenant_id, journey_no),
  foreign key (tenant_id, folder_id) references folder (tenant_id, folder_id) on delete set null (folder_id),
  foreign key (tenant_id, created_by) references account (tenant_id, account_id),
  foreign key (tenant_id, updated_by) references account (tenant_id, account_id)
);
create index journey_newest on journey (tenant_id, created_at desc, journey_id desc) where deleted_at is null;
create index journey_folder on journey (tenant_id, folder_id) where folder_id is not null;
create index journey_grams on journey using gin (name_grams) with (fastupdate = off) where deleted_at is null;
create index journey_live on journey (tenant_id, journey_no) where state = 'active' or is_stopping;

-- Every definition that was ever active. Live: contacts enter it, or some are on their way in it.
create table journey_version (
  tenant_id bigint not null,
  journey_no integer not null,
  version integer not null,
  definition jsonb not null,
  activated_at timestamptz(3) not null default now(),
  is_live boolean not null default true,
  primary key (tenant_id, journey_no, version)
);
create index journey_version_live on journey_version (tenant_id, journey_no) where is_live;
-- Those with a split whose winner is to be found.
create index journey_version_winner on journey_version (tenant_id, journey_no) where is_live and definition @? '$.steps[*].winner';

-- Counts changes of what a tenant's journeys listen to; held while news are told, as hold_audience() is. See hold_journeys().
create table journey_edition (
  tenant_id bigint primary key,
  edition integer not null
);

-- For whoever tells news, and for the worker: nobody changes what journeys listen to until the transaction ends. 0: there never was one.
create function hold_journeys(tenant bigint) returns bigint language plpgsql as $$
begin
  perform pg_advisory_xact_lock_shared(7237010, tenant::integer);
  return coalesce((select edition from journey_edition where tenant_id = tenant), 0);
end $$;

-- One contact's way through a journey, and the queue of what is to be done for it.
create table enrolment (
  tenant_id bigint not null,
  enrolment_id uuid not null,
  journey_no integer not null,
  version integer not null,
  run_id asset_id,
  -- Null once the person is erased.
  contact_id uuid,
  state text not null default 'active' check (state in ('active', 'completed', 'exited')),
  reason text,
  -- Where it stands; of one that has ended, where it stood last.
  step_id text,
  -- How many steps it has begun. A step that comes again is another visit.
  visit integer not null default 0,
  step_at timestamptz(3),
  -- ready: the step has not run. waiting: for a time, an event, a filter. writing: for its own write. calling: for a webhook.
  phase text not null default 'ready' check (phase in ('ready', 'waiting', 'writing', 'calling')),
  -- When the wait ends whatever happens. `due_at` is when to look: then, or earlier where a filter may change by itself.
  wait_until timestamptz(3),
  due_at timestamptz(3),
  entered_at timestamptz(3) not null,
  ended_at timestamptz(3),
  goal_at timestamptz(3),
  is_holdout boolean not null default false,
  -- How many journeys' steps led here one after the other: events that they emitted, journeys that they started.
  chain smallint not null default 0,
  -- How many steps it has begun since it last had to wait: a circle that goes round at once is put to rest.
  restless smallint not null default 0,
  -- {"event": properties of the event that started it, "webhook": the last answer}
  words jsonb,
  -- {stepId: name}: which arm of a split it took.
  arms jsonb,
  primary key (tenant_id, enrolment_id)
) with (fillfactor = 80);
create index enrolment_due on enrolment (tenant_id, journey_no, due_at) where state = 'active';
-- Finds who may enter again, and the enrolments that an event or a change of the contact concerns.
create index enrolment_of_contact on enrolment (tenant_id, contact_id, journey_no) where contact_id is not null;
create index enrolment_newest on enrolment (tenant_id, journey_no, entered_at desc, enrolment_id desc);
create index enrolment_at_step on enrolment (tenant_id, journey_no, version, step_id) where state = 'active';

-- The timeline of an enrolment.
create table enrolment_event (
  tenant_id bigint not null,
  enrolment_id uuid not null,
  event_no bigint generated always as identity,
  at timestamptz(3) not null,
  what text not null,
  step_id text,
  detail text,
  primary key (tenant_id, enrolment_id, event_no)
);

-- What happened and an active journey has not seen yet. A paused one sees it once it goes on.
create table journey_news (
  tenant_id bigint not null,
  news_no bigint generated always as identity,
  journey_no integer not null,
  -- event, joined, left, property, started: may start an enrolment; events end waits too. changed: filters look again.
  -- applied, answered: what one enrolment waited for.
  kind text not null check (kind in ('event', 'joined', 'left', 'property', 'started', 'changed', 'applied', 'answered')),
  contact_id uuid not null,
  enrolment_id uuid,
  -- When it was acknowledged.
  at timestamptz(3) not null,
  data jsonb,
  primary key (tenant_id, news_no)
);
create index journey_news_of on journey_news (tenant_id, journey_no, news_no);
create index journey_news_of_contact on journey_news (tenant_id, contact_id);
-- Journey 0: a contact was erased. A worker that saw it before may have stored something of it right after.
create index journey_news_erased on journey_news (tenant_id) where journey_no = 0;

-- A run of a batch journey: the members of that moment, in chunks that are enrolled one after the other.
create table journey_run (
  tenant_id bigint not null,
  run_id asset_id not null,
  journey_no integer not null,
  version integer not null,
  run_at timestamptz(3) not null,
  ended_at timestamptz(3),
  members bigint not null default 0,
  primary key (tenant_id, run_id)
);
create index journey_run_open on journey_run (tenant_id, journey_no) where ended_at is null;
create table journey_run_chunk (
  tenant_id bigint not null,
  run_id asset_id not null,
  chunk_no integer not null,
  contact_ids uuid[] not null,
  primary key (tenant_id, run_id, chunk_no)
);

-- Of journeys that begin on a date: when each contact's next one is.
create table journey_date (
  tenant_id bigint not null,
  journey_no integer not null,
  contact_id uuid not null,
  due_at timestamptz(3) not null,
  primary key (tenant_id, journey_no, contact_id)
);
create index journey_date_due on journey_date (tenant_id, journey_no, due_at);

create table split_winner (
  tenant_id bigint not null,
  journey_no integer not null,
  version integer not null,
  step_id text not null,
  arm text not null,
  decided_at timestamptz(3) not null default now(),
  primary key (tenant_id, journey_no, version, step_id)
);

-- Messages of a journey that is paused wait: none is claimed, and those in the queue are put off in steps, out of the way of others.
-- `released_at`: the journey goes on, and they are put back in steps; the row goes with the last.
create table message_hold (
  tenant_id bigint not null,
  journey_id asset_id not null,
  released_at timestamptz(3),
  primary key (tenant_id, journey_id)
);
-- A journey was stopped: what it had queued by then does not leave, also what was just being tried and waits again.
create table message_stop (
  tenant_id bigint not null,
  journey_id asset_id not null,
  reason text not null,
  stopped_at timestamptz(3) not null,
  primary key (tenant_id, journey_id)
);
alter table message
  add column run_id asset_id,
  -- When it was due before it was held; due_at is then beyond any day.
  add column held_due_at timestamptz(3);
create index message_waiting_of_journey on message (tenant_id, journey_id, due_at) where state = 'queued' and journey_id is not null;

-- Where a tenant wants to be told what happens. Failing: nothing more leaves until somebody resumes it.
create table webhook (
  tenant_id bigint not null,
  webhook_id asset_id not null,
  url text not null,
  events text[] not null,
  sealed_secret bytea not null,
  state text not null default 'active' check (state in ('active', 'failing')),
  failing_since timestamptz(3),
  last_error text,
  -- What was tried before counts no more towards giving up.
  resumed_at timestamptz(3),
  created_by bigint not null,
  created_at timestamptz(3) not null default now(),
  -- Its deliveries go in steps, and then the row.
  deleted_at timestamptz(3),
  primary key (tenant_id, webhook_id),
  foreign key (tenant_id, created_by) references account (tenant_id, account_id)
);
create index webhook_deleted on webhook (deleted_at) where deleted_at is not null;
-- What webhook steps of journeys are signed with: the newest, and those before it until they expire.
create table webhook_key (
  tenant_id bigint not null,
  key_id asset_id not null,
  sealed bytea not null,
  created_at timestamptz(3) not null default now(),
  expires_at timestamptz(3),
  primary key (tenant_id, key_id)
);
-- Calls that are to leave, and those that did. Once one has left or was given up, what it said is forgotten.
create table webhook_delivery (
  tenant_id bigint not null,
  delivery_id uuid not null,
  -- The order in which they happened.
  delivery_no bigint generated always as identity,
  -- Of a subscription, else of a journey's step.
  webhook_id asset_id,
  -- Whom it leaves to, so that a slow one holds up nobody else: the subscription, or the host of a step's address.
  lane text not null,
  enrolment_id uuid,
  journey_no integer,
  step_id text,
  visit integer,
  -- Null once the person is erased.
  contact_id uuid,
  type text not null,
  method text not null default 'POST',
  url text not null,
  headers jsonb,
  body text not null,
  timeout_ms integer not null,
  state text not null default 'waiting' check (state in ('waiting', 'delivered', 'failed', 'dropped')),
  created_at timestamptz(3) not null default now(),
  -- When to look at it. While a process has it: when that counts as gone.
  due_at timestamptz(3) not null default now(),
  attempts integer not null default 0,
  first_tried_at timestamptz(3),
  last_tried_at timestamptz(3),
  last_status integer,
  last_error text,
  lease uuid,
  primary key (tenant_id, delivery_id)
) with (fillfactor = 85);
create index webhook_delivery_due on webhook_delivery (tenant_id, lane, due_at, delivery_no) where state = 'waiting';
create index webhook_delivery_order on webhook_delivery (tenant_id, webhook_id, contact_id, delivery_no) where state = 'waiting';
create index webhook_delivery_of on webhook_delivery (tenant_id, webhook_id, delivery_no desc) where webhook_id is not null;
create index webhook_delivery_contact on webhook_delivery (tenant_id, contact_id) where contact_id is not null;
create index webhook_delivery_call on webhook_delivery (tenant_id, enrolment_id) where state = 'waiting' and enrolment_id is not null;
create index webhook_delivery_old on webhook_delivery (created_at);

-- Settled: built to the end since its filter was made or edited. Whom a list starts with has not joined; of a settled one that is built
-- anew, because it failed or events were dropped, whoever joins or leaves by that is news.
alter table dynamic_list add column is_settled boolean not null default false;
update dynamic_list set is_settled = is_built;
