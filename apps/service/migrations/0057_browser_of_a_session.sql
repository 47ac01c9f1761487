-- The browser in which a member signed in, in words such as "Firefox, Windows", so that members recognise their own sessions. Null for a
-- session from before this was recorded, and for a browser that is not known.
alter table member_sessions add column browser text check (length(browser) <= 40);
