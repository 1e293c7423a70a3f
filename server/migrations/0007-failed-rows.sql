-- The cells of an imported row that failed, as they came: a corrected file must not lose them.
alter table write_failure add column cells json;
