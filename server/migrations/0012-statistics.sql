-- Statistics: what came of messages and of enrolments, by hour; and what a message keeps so that all of it can be counted again.

-- Moments that figures count. `failed_at` goes again where the message turns out to have left.
alter table message
  add column soft_bounced_at timestamptz(3),
  add column complained_at timestamptz(3),
  -- By this message, the first time. It stays when they come back.
  add column unsubscribed_at timestamptz(3),
  add column failed_at timestamptz(3),
  -- Of the address it was tried at. Stays when the person is erased, because figures by domain do.
  add column domain text,
  -- {stepId: name}: the arms of splits that the enrolment had taken when it was queued.
  add column arms jsonb;
update message m set domain = split_part(m.address, '@', 2),
  soft_bounced_at = (select min(e.at) from message_event e where e.tenant_id = m.tenant_id and e.message_id = m.message_id and e.what = 'softBounced'),
  complained_at = (select min(e.at) from message_event e where e.tenant_id = m.tenant_id and e.message_id = m.message_id and e.what = 'complained'),
  unsubscribed_at = (select min(e.at) from message_event e where e.tenant_id = m.tenant_id and e.message_id = m.message_id and e.what = 'unsubscribed'),
  failed_at = case when m.state = 'failed' then coalesce(
    (select max(a.at) from message_attempt a where a.tenant_id = m.tenant_id and a.message_id = m.message_id and a.outcome = 'failed'),
    (select max(e.at) from message_event e where e.tenant_id = m.tenant_id and e.message_id = m.message_id and e.what = 'failed'), m.due_at) end
where m.address is not null or m.state = 'failed' or m.sent_at is not null;

-- For the hours in which a window begins and ends: those are counted from the rows.
create index message_sent_at on message (tenant_id, sent_at) where sent_at is not null;
create index message_failed_at on message (tenant_id, failed_at) where failed_at is not null;
create index message_event_at on message_event (tenant_id, at)
  where what in ('delivered', 'bounced', 'softBounced', 'complained', 'unsubscribed', 'opened', 'clicked');

-- Addresses that were clicked, by email. The hash finds one; an address that only erased people clicked is shortened to its host, and
-- has none.
create table message_link (
  tenant_id bigint not null,
  link_no integer generated always as identity,
  email_id asset_id not null,
  url text not null,
  url_hash bytea,
  primary key (tenant_id, link_no),
  unique (tenant_id, email_id, url_hash)
);
-- Of a click.
alter table message_event add column click_of integer;
insert into message_link (tenant_id, email_id, url, url_hash)
select distinct e.tenant_id, m.email_id, e.detail, sha256(convert_to(e.detail, 'UTF8'))
from message_event e join message m on m.tenant_id = e.tenant_id and m.message_id = e.message_id
where e.what = 'clicked' and e.detail is not null;
update message_event e set click_of = l.link_no from message m, message_link l
where e.what = 'clicked' and e.detail is not null and m.tenant_id = e.tenant_id and m.message_id = e.message_id
  and l.tenant_id = e.tenant_id and l.email_id = m.email_id and l.url_hash = sha256(convert_to(e.detail, 'UTF8'));
create index message_event_click on message_event (tenant_id, click_of) where click_of is not null;

-- Figures of messages. Writers add deltas; a chore folds them into `message_tally`. What there is to a subject is the sum of both, and
-- no reader sees anything twice, because a fold is one statement. Subjects, see messages/figures/subjects.ts:
--   t                                    the tenant
--   e:<emailId>:<version>                an email, `default`, `personalized`, or nothing where it was never rendered
--   j:<journeyId>:<stepId>:<emailId>     a step of a journey
--   a:<journeyId>:<stepId>:<arm>         an arm of a split
--   d:<domain>                           a recipient's domain
--   l:<link_no>                          a link: of the counts, only those of clicks
-- `bounced` is the sum of hard and soft: a message is one of them at most. `click_only`: clicked and never opened, as far as is known.
create table message_tally_delta (
  tenant_id bigint not null,
  delta_no bigint generated always as identity,
  subject text collate "C" not null,
  hour timestamptz(0) not null,
  sent integer not null default 0,
  delivered integer not null default 0,
  opened integer not null default 0,
  unique_opened integer not null default 0,
  clicked integer not null default 0,
  unique_clicked integer not null default 0,
  hard_bounced integer not null default 0,
  soft_bounced integer not null default 0,
  unsubscribed integer not null default 0,
  complained integer not null default 0,
  failed integer not null default 0,
  machine_opened integer not null default 0,
  machine_clicked integer not null default 0,
  click_only integer not null default 0,
  primary key (tenant_id, delta_no)
);
create index message_tally_delta_of on message_tally_delta (tenant_id, subject, hour);
create table message_tally (
  tenant_id bigint not null,
  span text collate "C" not null check (span in ('hour', 'day', 'all')),
  subject text collate "C" not null,
  -- Of `all`: 1970.
  since timestamptz(0) not null,
  sent bigint not null,
  delivered bigint not null,
  opened bigint not null,
  unique_opened bigint not null,
  clicked bigint not null,
  unique_clicked bigint not null,
  hard_bounced bigint not null,
  soft_bounced bigint not null,
  unsubscribed bigint not null,
  complained bigint not null,
  failed bigint not null,
  machine_opened bigint not null,
  machine_clicked bigint not null,
  click_only bigint not null,
  primary key (tenant_id, span, subject, since)
) with (fillfactor = 80);

-- Figures of enrolments, in the same way. `step_id` is '' for the journey itself. `part`: '' for everybody, 'holdout' for those who get
-- no mail, 'arm:<name>' of a split. `what`: entered, completed, exited, goal; of steps entered, left, and `took:<n>` for those who left
-- after about 2^(n/8) milliseconds.
create table journey_tally_delta (
  tenant_id bigint not null,
  delta_no bigint generated always as identity,
  journey_no integer not null,
  step_id text collate "C" not null,
  part text collate "C" not null,
  what text collate "C" not null,
  hour timestamptz(0) not null,
  n integer not null,
  primary key (tenant_id, delta_no)
);
create index journey_tally_delta_of on journey_tally_delta (tenant_id, journey_no, hour);
create table journey_tally (
  tenant_id bigint not null,
  span text collate "C" not null check (span in ('hour', 'day', 'all')),
  journey_no integer not null,
  step_id text collate "C" not null,
  part text collate "C" not null,
  what text collate "C" not null,
  since timestamptz(0) not null,
  n bigint not null,
  primary key (tenant_id, span, journey_no, step_id, part, what, since)
) with (fillfactor = 80);
-- Of those who were there before: as journeys/passage/recount counts them.
with visit as (
  select e.tenant_id, e.journey_no, v.step_id, v.at as began, coalesce(lead(v.at) over (
    partition by v.tenant_id, v.enrolment_id order by v.event_no), e.ended_at) as ended
  from enrolment e join enrolment_event v on v.tenant_id = e.tenant_id and v.enrolment_id = e.enrolment_id and v.what = 'step'
), taken as (
  select e.tenant_id, e.journey_no, v.enrolment_id, v.step_id, v.event_no, v.at,
    substring(v.detail from '^Arm ("(?:[^"\\]|\\.)*")')::jsonb #>> '{}' as arm
  from enrolment e join enrolment_event v on v.tenant_id = e.tenant_id and v.enrolment_id = e.enrolment_id and v.what = 'split'
  where not e.is_holdout
), chosen as (
  select *, lag(arm) over (partition by tenant_id, enrolment_id, step_id order by event_no) as before from taken
), earned as (
  select distinct on (s.tenant_id, s.enrolment_id, s.step_id) s.*, g.at as goal_at
  from enrolment_event g join taken s on s.tenant_id = g.tenant_id and s.enrolment_id = g.enrolment_id and s.event_no < g.event_no
  where g.what = 'goal' order by s.tenant_id, s.enrolment_id, s.step_id, s.event_no desc
), happened as (
  select e.tenant_id, e.journey_no, '' as step_id, p.part, h.what, h.at from enrolment e
  cross join lateral (values ('entered', e.entered_at), (e.state, e.ended_at), ('goal', e.goal_at)) as h (what, at)
  cross join lateral (select '' as part union all select 'holdout' where e.is_holdout) as p where h.at is not null
  union all select tenant_id, journey_no, step_id, '', 'entered', began from visit
  union all select tenant_id, journey_no, step_id, '', w.what, ended from visit cross join lateral (
    values ('left'), ('took:' || round(8 * ln(greatest(1, round(extract(epoch from ended - began) * 1000))::float8) / ln(2::float8)))
  ) as w (what) where ended is not null
  union all select tenant_id, journey_no, step_id, 'arm:' || arm, 'entered', at from chosen where arm is distinct from before
  union all select tenant_id, journey_no, step_id, 'arm:' || arm, 'goal', goal_at from earned
)
insert into journey_tally_delta (tenant_id, journey_no, step_id, part, what, hour, n)
select tenant_id, journey_no, step_id, part, what, date_trunc('hour', at, 'UTC'), count(*) from happened group by 1, 2, 3, 4, 5, 6;
-- For the hours in which a window begins and ends.
create index enrolment_ended on enrolment (tenant_id, journey_no, ended_at) where ended_at is not null;
create index enrolment_goal on enrolment (tenant_id, journey_no, goal_at) where goal_at is not null;
create index enrolment_event_at on enrolment_event (tenant_id, at) where what in ('step', 'split', 'moved');
