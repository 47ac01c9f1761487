-- What the members of a tenant should know. An alert is open until it is resolved; one is open for each kind and subject of an
-- environment, or of the tenant as a whole if `environment` is null. `stage` rises while it is open, such as from 80 to 100 % of
-- the quota. `details` contain no claim, secret or session id.
create table alerts (
  tenant_id   uuid not null references tenants (id) on delete cascade,
  id          uuid not null default gen_random_uuid(),
  environment text check (environment in ('test', 'live')),
  kind        text not null check (char_length(kind) between 1 and 64),
  subject     text not null check (octet_length(subject) between 1 and 2048),
  stage       integer not null,
  details     jsonb not null check (octet_length(details::text) <= 8192),
  raised_at   timestamptz not null,
  resolved_at timestamptz,
  primary key (tenant_id, id)
);
create unique index alerts_open on alerts (tenant_id, kind, subject, environment) nulls not distinct where resolved_at is null;
create index on alerts (kind, id) where resolved_at is null;
create index alerts_resolved on alerts (tenant_id, resolved_at) where resolved_at is not null;

-- Alerts that were raised, reached a further stage or were resolved, written with the change and not announced yet. `held` ones
-- exceeded the hourly rate of their tenant and are announced together in a digest.
create table alert_events (
  id        bigint generated always as identity primary key,
  tenant_id uuid not null,
  alert_id  uuid not null,
  type      text not null check (type in ('raised', 'resolved')),
  stage     integer not null,
  details   jsonb not null,
  at        timestamptz not null,
  due_at    timestamptz not null,
  held      boolean not null default false,
  foreign key (tenant_id, alert_id) references alerts on delete cascade
);
create index on alert_events (due_at);
create index on alert_events (tenant_id, alert_id);

-- How many alerts were announced by mail in the tenant's current hour.
create table alert_rates (
  tenant_id uuid primary key references tenants (id) on delete cascade,
  hour      timestamptz not null,
  announced integer not null check (announced >= 0)
);

-- Where a tenant's systems receive alerts. Its secret is its own; a rotated one keeps signing until `previous_retires_at`.
create table alert_webhooks (
  tenant_id           uuid primary key references tenants (id) on delete cascade,
  url                 text not null check (char_length(url) <= 2048),
  sealed              bytea not null,
  previous_sealed     bytea,
  previous_retires_at timestamptz,
  created_at          timestamptz not null,
  last_attempt_at     timestamptz,
  last_outcome        text
);

create table alert_webhook_queue (
  id        bigint generated always as identity primary key,
  tenant_id uuid not null references alert_webhooks on delete cascade,
  event_id  text not null,
  payload   jsonb not null,
  attempts  integer not null default 0,
  due_at    timestamptz not null
);
create index on alert_webhook_queue (due_at);
create index on alert_webhook_queue (tenant_id);

-- Which alerts a member wants by mail. Without a row the role decides.
create table alert_choices (
  tenant_id uuid not null,
  member_id uuid not null,
  kind      text not null check (char_length(kind) between 1 and 64),
  wanted    boolean not null,
  primary key (tenant_id, member_id, kind),
  foreign key (tenant_id, member_id) references members (tenant_id, id) on delete cascade
);

-- The language of a member's mails. English if null.
alter table members add column language text check (char_length(language) between 2 and 8);

-- Mails to be sent. The content is sealed, because an invitation contains a link that grants access; it is deleted once the mail
-- was sent or given up. A mail to a removed member or for a withdrawn invitation is deleted unsent.
create table mail_queue (
  id            uuid primary key default gen_random_uuid(),
  tenant_id     uuid not null references tenants (id) on delete cascade,
  member_id     uuid,
  invitation_id uuid,
  recipient     text not null check (char_length(recipient) <= 254),
  sealed        bytea,
  attempts      integer not null default 0,
  created_at    timestamptz not null,
  due_at        timestamptz not null,
  expires_at    timestamptz not null,
  state         text not null check (state in ('waiting', 'sent', 'failed')),
  failure       text,
  foreign key (tenant_id, member_id) references members (tenant_id, id) on delete cascade,
  foreign key (tenant_id, invitation_id) references member_invitations (tenant_id, id) on delete cascade on update cascade
);
create index on mail_queue (due_at) where state = 'waiting';
create index on mail_queue (expires_at);
create index on mail_queue (tenant_id, member_id) where member_id is not null;
create index on mail_queue (tenant_id, invitation_id) where invitation_id is not null;
