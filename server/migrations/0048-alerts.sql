-- Alerts: what went wrong and needs somebody to look, who gets them by mail, and the webhook that they go to.

-- Facts only: words are made when somebody reads them.
create table alert (
  tenant_id bigint not null,
  alert_id asset_id not null,
  kind text collate "C" not null check (kind in ('bounces', 'complaints', 'journeyStopped', 'listHalved')),
  -- The id of the journey or the list; '' for the mail of the workspace.
  subject text collate "C" not null,
  subject_type text collate "C" not null check (subject_type in ('mail', 'journey', 'staticList', 'dynamicList')),
  -- When it opened: see contract/src/alerts.ts.
  count bigint not null,
  compared_with bigint not null,
  opened_at timestamptz(3) not null,
  closed_at timestamptz(3),
  primary key (tenant_id, alert_id)
);
-- One is open of a kind and a subject, however many processes look.
create unique index alert_open on alert (tenant_id, kind, subject) where closed_at is null;
create index alert_newest on alert (tenant_id, opened_at desc, alert_id desc);
create index alert_closed on alert (closed_at) where closed_at is not null;

-- Who gets them by mail. Without a row nobody does.
create table alert_mail (
  tenant_id bigint not null,
  account_id bigint not null,
  primary key (tenant_id, account_id),
  foreign key (tenant_id, account_id) references account (tenant_id, account_id) on delete cascade
);

-- Where they are posted. The address is a secret: it is sealed in webhook_header, and only what may be shown is here.
create table alert_webhook (
  tenant_id bigint primary key,
  header_id asset_id not null,
  host text not null,
  ending text not null,
  changed_at timestamptz(3) not null,
  last_delivered_at timestamptz(3),
  last_failed_at timestamptz(3),
  last_status integer,
  last_error text,
  is_given_up boolean not null default false
);
