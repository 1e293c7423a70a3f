-- New emails begin with the colors and the font of the workspace.

-- A theme as designs have it; null: as designs look without one.
alter table tenant add column email_theme jsonb;
