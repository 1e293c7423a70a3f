-- A list whose evaluation takes long is built in shorter steps: how many contacts the next one looks at. Null: as many as fit.
alter table dynamic_list add column build_step integer;
