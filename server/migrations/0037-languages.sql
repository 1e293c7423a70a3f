-- Emails in several languages, and which one a message was sent in.

-- The languages beside its own, in the order of their tags. Senders see here that there is nothing else to look up.
alter table email add column languages text[] not null default '{}';

-- The texts of an email in another language. Null: the email's own.
create table email_language (
  tenant_id bigint not null,
  email_id asset_id not null,
  -- As RFC 5646 writes it: de, pt-BR.
  language text not null,
  subject text,
  preheader text,
  html text,
  -- As in email: null, all three, where the html is not made from a design.
  text_template text,
  design jsonb,
  compiled_by integer,
  primary key (tenant_id, email_id, language),
  foreign key (tenant_id, email_id) references email (tenant_id, email_id)
);

-- {tag: {subject, preheader, html, text, design, compiledBy}}; null: none.
alter table email_revision add column languages jsonb;

-- Null: the email's own, or not rendered yet.
alter table message add column language text;
alter table marketing_activity add column language text;
