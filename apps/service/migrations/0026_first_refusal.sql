-- When a wallet refused without a reason for the first time. The session stays open once: another wallet may hold what is asked.
alter table verification_sessions add column refused_at timestamptz;
