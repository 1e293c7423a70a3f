-- A key that a web page may carry: it can send what people do, and nothing else.
alter table access_token drop constraint access_token_scopes_check;
alter table access_token add constraint access_token_scopes_check
  check (scopes <@ array['READ', 'WRITE'] or scopes = array['INGEST']);
