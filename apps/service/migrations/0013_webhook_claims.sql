-- A claim finds what it has chosen by its key. Once the queue was analyzed while it was long, the planner would otherwise
-- read it whole for a handful of rows.
alter function claim_webhooks(uuid[], text[], integer[], uuid, integer) set enable_hashjoin = off;
alter function claim_webhooks(uuid[], text[], integer[], uuid, integer) set enable_mergejoin = off;
