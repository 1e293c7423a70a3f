-- What emails were after each save, so that a person can go back; other orders to list them in; and the console's files of earlier builds.

-- The newest saves of an email, the current one among them. Where it is filed is no part of it.
create table email_revision (
  tenant_id bigint not null,
  email_id asset_id not null,
  -- That of the email after the save.
  revision integer not null,
  saved_at timestamptz(3) not null,
  saved_by bigint not null,
  -- In the words of a PATCH.
  changed text[] not null,
  -- The revision that the save brought back.
  restored_from integer,
  name text not null,
  subject text not null,
  preheader text,
  html text not null,
  from_email text not null,
  from_name text,
  reply_to text,
  primary key (tenant_id, email_id, revision),
  foreign key (tenant_id, email_id) references email (tenant_id, email_id),
  foreign key (tenant_id, saved_by) references account (tenant_id, account_id)
);
insert into email_revision (tenant_id, email_id, revision, saved_at, saved_by, changed, name, subject, preheader, html, from_email,
  from_name, reply_to)
select tenant_id, email_id, revision, updated_at, updated_by, '{}', name, subject, preheader, html, from_email, from_name, reply_to
from email where deleted_at is null;

create index email_by_name on email (tenant_id, name_folded, email_id) where deleted_at is null;
create index email_by_update on email (tenant_id, updated_at desc, email_id desc) where deleted_at is null;

-- Files of the console that some node handed out, by a name that has a hash of what is in them. They belong to no tenant.
create table console_file (
  name text primary key,
  content bytea not null,
  is_gzipped boolean not null,
  -- When a node last had the file in its own build.
  seen_at timestamptz(3) not null default now()
);
