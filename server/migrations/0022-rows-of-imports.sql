-- Rows of an import are told as a spreadsheet counts them, blank lines included.

-- From which row of the chunk on how many blank lines came before, as [[row, lines], …]; null while there were none.
alter table import_chunk add column gaps json;

-- The row in the file; null for a write that was none, and for what failed before this was kept.
alter table write_failure add column row_number integer;
