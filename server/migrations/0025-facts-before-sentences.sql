-- A line of a timeline is a code with its subjects; its words are made when somebody reads it. Lines that are there keep their words, and
-- those that queries look for get a code as well: what made a contact enter, the arm of a split, a journey that was not started.
alter table enrolment_event add column code text, add column subjects jsonb;

update enrolment_event set
  code = case
    when what = 'entered' then 'eventCame'
    when what = 'split' then case when detail like '%, which won%' then 'armWon' else 'armTaken' end
    else 'journeyNotStarted' end,
  subjects = case
    when what = 'entered' then jsonb_build_object('eventName', substring(detail from '^The event ("(?:[^"\\]|\\.)*")')::jsonb)
    when what = 'split' then jsonb_build_object('arm', substring(detail from '^Arm ("(?:[^"\\]|\\.)*")')::jsonb)
    else jsonb_build_object('journeyId', substring(detail from '^The journey ([0-9a-f]{24})')) end
where (what = 'entered' and detail ~ '^The event "(?:[^"\\]|\\.)*" came\.')
  or (what = 'split' and detail ~ '^Arm "(?:[^"\\]|\\.)*"')
  or (what in ('event', 'step') and detail ~ '^The journey [0-9a-f]{24} was not started');
