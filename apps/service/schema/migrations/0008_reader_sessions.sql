-- The session of a reader that a verification was requested in, as the hash of its transcript: it serves one verification. `channel` says
-- how the response came, if that was a reader.
alter table verification_sessions
  add column transcript_hash bytea,
  add column channel text check (channel = 'proximity');
create index verification_sessions_transcript on verification_sessions (transcript_hash) where transcript_hash is not null;

alter type wallet_response add attribute channel text;
