-- The list of mail providers is in contract/src/grammar/providers.ts alone, so that a new one needs no migration.
alter table mail_hook drop constraint mail_hook_provider_check;
alter table mail_hook add constraint mail_hook_provider_check check (length(provider) between 1 and 40);
