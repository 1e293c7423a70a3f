-- Statistics by topic, and the look of public pages.

-- What contacts said of a topic, by time. Logs are young: building it takes no time.
create index consent_log_by_topic on consent_log (tenant_id, topic_id, at, state);

-- Messages that left with a topic before, counted as messages/figures/queries.ts counts them.
insert into message_tally_delta (tenant_id, subject, hour, sent, delivered, opened, unique_opened, clicked, unique_clicked, hard_bounced,
  soft_bounced, unsubscribed, complained, failed, machine_opened, machine_clicked, click_only)
with counted as materialized (
  select m.*, m.reason is distinct from 'outbox' as has_left from message m where m.topic_id is not null and m.kind <> 'test'
), fact as (
  select m.tenant_id, m.topic_id, f.at, f.what from counted m cross join lateral (values
    (case when m.has_left then m.sent_at end, 'sent'),
    (case
      when not m.has_left then null
      when m.delivered_at is null then case when m.bounced_at is null and m.soft_bounced_at is null then m.sent_at end
      when greatest(m.bounced_at, m.soft_bounced_at) >= m.delivered_at then null else m.delivered_at end, 'delivered'),
    (m.first_opened_at, 'unique_opened'), (m.first_clicked_at, 'unique_clicked'), (m.bounced_at, 'hard_bounced'),
    (case when m.bounced_at is null then m.soft_bounced_at end, 'soft_bounced'), (m.unsubscribed_at, 'unsubscribed'),
    (m.complained_at, 'complained'), (m.failed_at, 'failed'),
    (case when m.first_opened_at is null then m.first_clicked_at end, 'click_only')
  ) f (at, what) where f.at is not null
  union all
  select m.tenant_id, m.topic_id, e.at, case when e.is_machine then 'machine_' else '' end || e.what
  from counted m join message_event e on e.tenant_id = m.tenant_id and e.message_id = m.message_id and e.what in ('opened', 'clicked')
)
select tenant_id, 't:' || encode(topic_id, 'hex'), date_trunc('hour', at, 'UTC'), count(*) filter (where what = 'sent'),
  count(*) filter (where what = 'delivered'), count(*) filter (where what = 'opened'), count(*) filter (where what = 'unique_opened'),
  count(*) filter (where what = 'clicked'), count(*) filter (where what = 'unique_clicked'),
  count(*) filter (where what = 'hard_bounced'), count(*) filter (where what = 'soft_bounced'),
  count(*) filter (where what = 'unsubscribed'), count(*) filter (where what = 'complained'), count(*) filter (where what = 'failed'),
  count(*) filter (where what = 'machine_opened'), count(*) filter (where what = 'machine_clicked'),
  count(*) filter (where what = 'click_only')
from fact group by 1, 2, 3;

-- {name, logoUrl, accentColor, backgroundColor, darkAccentColor, darkBackgroundColor}; null: the pages look like ours.
alter table tenant add column branding jsonb;
