-- The DNS records of a sending domain are shown to everyone who has its link, until that expires or is ended.
alter table sending_domain
  -- SHA-256 of the token in the link.
  add column share_hash bytea,
  add column share_expires_at timestamptz(3);
