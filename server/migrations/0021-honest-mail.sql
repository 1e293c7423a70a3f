-- How sure the winner of a split was, when it was chosen. Of those chosen before, nothing is known.
alter table split_winner
  add column is_significant boolean,
  add column against text,
  add column difference float8,
  add column interval_low float8,
  add column interval_high float8;

-- Messages that only lie in the outbox were counted as sent and delivered. They say so now (reason 'outbox'), and are taken out of the
-- figures; those of which somebody has reported what came of them have left. What pauses go by is of a day, and has them as not delivered.
with kept as (
  update message m set reason = 'outbox'
  where m.state = 'sent' and m.reason is null and m.delivered_at is null and m.soft_bounced_at is null and m.complained_at is null
    and exists (select from message_attempt a where a.tenant_id = m.tenant_id and a.message_id = m.message_id
      and a.outcome = 'sent' and a.reply = 'kept in the outbox')
  returning m.tenant_id, m.kind, m.email_id, m.version, m.journey_id, m.step_id, m.arms, m.domain, m.sent_at
), undelivered as (
  update sending_tally t set delivered = t.delivered - k.messages
  from (select tenant_id, date_bin('10 minutes', sent_at, 'epoch') as since, count(*) as messages from kept where kind <> 'test' group by 1, 2) k
  where t.tenant_id = k.tenant_id and t.since = k.since
)
insert into message_tally_delta (tenant_id, subject, hour, sent, delivered)
select m.tenant_id, s.subject, date_trunc('hour', m.sent_at, 'UTC'), -count(*), -count(*) from kept m cross join lateral (
  select 't'
  union all select 'e:' || encode(m.email_id, 'hex') || ':' || coalesce(m.version, '')
  union all select 'j:' || encode(m.journey_id, 'hex') || ':' || coalesce(m.step_id, '') || ':' || encode(m.email_id, 'hex')
    where m.journey_id is not null
  union all select 'a:' || encode(m.journey_id, 'hex') || ':' || a.key || ':' || a.value from jsonb_each_text(m.arms) a
    where m.journey_id is not null
  union all select 'd:' || m.domain where m.domain is not null
) s (subject) where m.kind <> 'test' group by 1, 2, 3;

-- Of providers whose signature does not cover what they tell (Mailgun): a token is good for one body. Kept while its time is recent.
create table mail_hook_token (
  tenant_id bigint not null,
  token_hash bytea not null,
  body_hash bytea not null,
  expires_at timestamptz(3) not null,
  primary key (tenant_id, token_hash)
);
create index mail_hook_token_expiry on mail_hook_token (expires_at);
