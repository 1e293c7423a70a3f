-- Which trace a unit of work came from: a write or a message that waits. Rows exist only while an operator has traces recorded, and for a day.
-- The traces themselves are kept elsewhere.
create table work_trace (
  tenant_id bigint not null,
  work_id uuid not null,
  -- As W3C Trace Context writes it.
  traceparent text not null,
  created_at timestamptz(3) not null default now(),
  primary key (tenant_id, work_id)
);
create index work_trace_age on work_trace (created_at);
alter table journey_news add column traceparent text;
