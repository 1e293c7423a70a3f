-- One email to an audience, sent once: a batch journey with one step that people make, watch, pause and cancel as a job of its own.

-- {emailId, audience, when}, as it was asked for; null: an ordinary journey.
alter table journey add column broadcast jsonb;
-- Of a broadcast: when its last message had left, or when it was cancelled.
alter table journey add column ended_at timestamptz(3);
alter table journey add column is_cancelled boolean not null default false;
create index journey_broadcasts on journey (tenant_id, created_at desc, journey_id desc) where broadcast is not null and deleted_at is null;
create index journey_broadcasts_live on journey (tenant_id, journey_no) where broadcast is not null and state = 'active';

-- Sent by a broadcast.
alter table message add column is_broadcast boolean not null default false;
