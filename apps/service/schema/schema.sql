-- The tables, views and triggers in force after all migrations, for readers and reviews. Functions are in functions/.
-- Written by `npm run schema`; a test compares it with a new database.

create table access_certificates (
  hash bytea not null,
  tenant_id uuid,
  chain text not null,
  sealed_key bytea,
  self_made boolean not null default false,
  created_at timestamp with time zone not null default service_now(),
  key_uri text,
  constraint access_certificates_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES tenants(id),
  constraint access_certificates_pkey PRIMARY KEY (hash),
  constraint access_certificates_check CHECK ((num_nonnulls(sealed_key, key_uri) = 1))
);
CREATE INDEX access_certificates_key ON public.access_certificates USING btree (sealing_key_of(sealed_key)) WHERE (sealed_key IS NOT NULL);
CREATE TRIGGER refuse_retired_key BEFORE INSERT OR UPDATE OF sealed_key ON public.access_certificates FOR EACH ROW EXECUTE FUNCTION refuse_retired_key('sealed_key');

create table alert_choices (
  tenant_id uuid not null,
  member_id uuid not null,
  kind text not null,
  wanted boolean not null,
  constraint alert_choices_tenant_id_member_id_fkey FOREIGN KEY (tenant_id, member_id) REFERENCES members(tenant_id, id) ON DELETE CASCADE,
  constraint alert_choices_pkey PRIMARY KEY (tenant_id, member_id, kind),
  constraint alert_choices_kind_check CHECK (((char_length(kind) >= 1) AND (char_length(kind) <= 64)))
);

create table alert_events (
  id bigint not null generated always as identity,
  tenant_id uuid not null,
  alert_id uuid not null,
  type text not null,
  stage integer not null,
  details jsonb not null,
  at timestamp with time zone not null,
  due_at timestamp with time zone not null,
  held boolean not null default false,
  constraint alert_events_tenant_id_alert_id_fkey FOREIGN KEY (tenant_id, alert_id) REFERENCES alerts(tenant_id, id) ON DELETE CASCADE,
  constraint alert_events_pkey PRIMARY KEY (id),
  constraint alert_events_type_check CHECK ((type = ANY (ARRAY['raised'::text, 'resolved'::text])))
);
CREATE INDEX alert_events_due_at_idx ON public.alert_events USING btree (due_at);
CREATE INDEX alert_events_tenant_id_alert_id_idx ON public.alert_events USING btree (tenant_id, alert_id);

create table alert_rates (
  tenant_id uuid not null,
  hour timestamp with time zone not null,
  announced integer not null,
  constraint alert_rates_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES tenants(id) ON DELETE CASCADE,
  constraint alert_rates_pkey PRIMARY KEY (tenant_id),
  constraint alert_rates_announced_check CHECK ((announced >= 0))
);

create table alert_webhooks (
  tenant_id uuid not null,
  url text not null,
  sealed bytea not null,
  previous_sealed bytea,
  previous_retires_at timestamp with time zone,
  created_at timestamp with time zone not null,
  last_attempt_at timestamp with time zone,
  last_outcome text,
  created_by uuid,
  constraint alert_webhooks_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES tenants(id) ON DELETE CASCADE,
  constraint alert_webhooks_pkey PRIMARY KEY (tenant_id),
  constraint alert_webhooks_url_check CHECK ((char_length(url) <= 2048))
);
CREATE INDEX alert_webhooks_key ON public.alert_webhooks USING btree (sealing_key_of(sealed));
CREATE TRIGGER refuse_retired_key BEFORE INSERT OR UPDATE OF sealed, previous_sealed ON public.alert_webhooks FOR EACH ROW EXECUTE FUNCTION refuse_retired_key('sealed', 'previous_sealed');

create table alerts (
  tenant_id uuid not null,
  id uuid not null default gen_random_uuid(),
  environment text,
  kind text not null,
  subject text not null,
  stage integer not null,
  details jsonb not null,
  raised_at timestamp with time zone not null,
  resolved_at timestamp with time zone,
  constraint alerts_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES tenants(id) ON DELETE CASCADE,
  constraint alerts_pkey PRIMARY KEY (tenant_id, id),
  constraint alerts_details_check CHECK ((octet_length((details)::text) <= 8192)),
  constraint alerts_environment_check CHECK ((environment = ANY (ARRAY['test'::text, 'live'::text]))),
  constraint alerts_kind_check CHECK (((char_length(kind) >= 1) AND (char_length(kind) <= 64))),
  constraint alerts_subject_check CHECK (((octet_length(subject) >= 1) AND (octet_length(subject) <= 2048)))
);
CREATE INDEX alerts_kind_id_idx ON public.alerts USING btree (kind, id) WHERE (resolved_at IS NULL);
CREATE UNIQUE INDEX alerts_open ON public.alerts USING btree (tenant_id, kind, subject, environment) NULLS NOT DISTINCT WHERE (resolved_at IS NULL);
CREATE INDEX alerts_resolved ON public.alerts USING btree (tenant_id, resolved_at) WHERE (resolved_at IS NOT NULL);

create table api_keys (
  tenant_id uuid not null,
  id uuid not null default gen_random_uuid(),
  environment text not null,
  name text not null,
  hash bytea not null,
  prefix text not null,
  scopes text[] not null,
  created_at timestamp with time zone not null default service_now(),
  expires_at timestamp with time zone,
  revoked_at timestamp with time zone,
  last_used_at timestamp with time zone,
  created_by uuid,
  replaced_by uuid,
  constraint api_keys_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES tenants(id),
  constraint api_keys_pkey PRIMARY KEY (tenant_id, id),
  constraint api_keys_hash_key UNIQUE (hash),
  constraint api_keys_environment_check CHECK ((environment = ANY (ARRAY['test'::text, 'live'::text]))),
  constraint api_keys_hash_check CHECK ((octet_length(hash) = 32)),
  constraint api_keys_name_check CHECK (((char_length(name) >= 1) AND (char_length(name) <= 200))),
  constraint api_keys_prefix_check CHECK ((char_length(prefix) = 12)),
  constraint api_keys_scopes_check CHECK (((cardinality(scopes) >= 1) AND (cardinality(scopes) <= 64)))
);
CREATE INDEX api_keys_expiring ON public.api_keys USING btree (tenant_id, environment, expires_at) WHERE ((revoked_at IS NULL) AND (expires_at IS NOT NULL));
CREATE INDEX api_keys_newest ON public.api_keys USING btree (tenant_id, environment, created_at DESC);
CREATE INDEX api_keys_tenant_id_created_by_idx ON public.api_keys USING btree (tenant_id, created_by) WHERE (created_by IS NOT NULL);
CREATE CONSTRAINT TRIGGER replace_change_version AFTER UPDATE ON public.api_keys DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (((to_jsonb(old.*) - '{last_used_at}'::text[]) IS DISTINCT FROM (to_jsonb(new.*) - '{last_used_at}'::text[]))) EXECUTE FUNCTION replace_change_version();
CREATE CONSTRAINT TRIGGER replace_change_version_on_others AFTER DELETE ON public.api_keys DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION replace_change_version();
CREATE TRIGGER replace_change_version_on_truncate AFTER TRUNCATE ON public.api_keys FOR EACH STATEMENT EXECUTE FUNCTION replace_change_version();

create table audit_chains (
  tenant_id uuid not null,
  day date not null,
  seq bigint not null,
  link bytea not null,
  signed_seq bigint not null default 0,
  signed_link bytea,
  constraint audit_chains_pkey PRIMARY KEY (tenant_id),
  constraint audit_chains_check CHECK ((signed_seq <= seq)),
  constraint audit_chains_link_check CHECK ((octet_length(link) = 32)),
  constraint audit_chains_seq_check CHECK ((seq >= 0)),
  constraint audit_chains_signed_link_check CHECK ((octet_length(signed_link) = 32))
) with (fillfactor=50);
CREATE INDEX audit_chains_tenant_id_idx ON public.audit_chains USING btree (tenant_id) WHERE (seq > signed_seq);

create table audit_entries (
  day date not null,
  tenant_id uuid not null,
  seq bigint not null,
  at timestamp with time zone not null,
  action text not null,
  actor text not null,
  detail text,
  link bytea not null,
  actor_name bytea,
  purpose bytea,
  subject bytea,
  constraint audit_entries_pkey PRIMARY KEY (tenant_id, seq, day)
) partition by RANGE (day);

create table audit_handovers (
  number integer not null,
  note text not null,
  constraint audit_handovers_pkey PRIMARY KEY (number),
  constraint audit_handovers_number_check CHECK (((number >= 1) AND (number <= 1000)))
);

create table audit_heads (
  day date not null,
  leaf bigint not null,
  place integer not null,
  tenant_id uuid not null,
  seq bigint not null,
  link bytea not null,
  constraint audit_heads_pkey PRIMARY KEY (leaf, place, day)
) partition by RANGE (day);
CREATE INDEX audit_heads_tenant_id_seq_idx ON ONLY public.audit_heads USING btree (tenant_id, seq);

create table audit_inbox (
  id bigint not null generated always as identity,
  tenant_id uuid not null,
  at timestamp with time zone not null default service_now(),
  action text not null,
  actor text not null,
  actor_name text /* no statistics */,
  subject text /* no statistics */,
  purpose text /* no statistics */,
  detail jsonb /* no statistics */,
  constraint audit_inbox_pkey PRIMARY KEY (id)
);
CREATE INDEX audit_inbox_subject_idx ON public.audit_inbox USING btree (subject) WHERE (subject IS NOT NULL);

create table audit_leaves (
  index bigint not null,
  at timestamp with time zone not null,
  heads_count integer not null,
  heads_root bytea not null,
  new_heads_count integer not null,
  new_heads_root bytea not null,
  constraint audit_leaves_pkey PRIMARY KEY (index)
);

create table audit_log (
  is_only boolean not null default true,
  origin text not null,
  sealed_key bytea not null,
  checkpoint text,
  signature_start text,
  constraint audit_log_pkey PRIMARY KEY (is_only),
  constraint audit_log_is_only_check CHECK (is_only),
  constraint audit_log_signed_with_current_key CHECK (((signature_start IS NULL) OR (checkpoint IS NULL) OR (strpos(checkpoint, ('
'::text || signature_start)) > 0)))
);
CREATE TRIGGER refuse_retired_key BEFORE INSERT OR UPDATE OF sealed_key ON public.audit_log FOR EACH ROW EXECUTE FUNCTION refuse_retired_key('sealed_key');

create table audit_nodes (
  height smallint not null,
  index bigint not null,
  hash bytea not null,
  constraint audit_nodes_pkey PRIMARY KEY (height, index),
  constraint audit_nodes_hash_check CHECK ((octet_length(hash) = 32))
);

create table audit_texts (
  day date not null,
  tenant_id uuid not null,
  seq bigint not null,
  secret bytea not null /* no statistics */,
  actor_name text /* no statistics */,
  purpose text /* no statistics */,
  subject text /* no statistics */,
  constraint audit_texts_pkey PRIMARY KEY (tenant_id, seq, day)
) partition by RANGE (day);
CREATE INDEX audit_texts_tenant_id_subject_idx ON ONLY public.audit_texts USING btree (tenant_id, subject) WHERE (subject IS NOT NULL);

create table change_version (
  one boolean not null default true,
  version uuid not null default gen_random_uuid(),
  constraint change_version_pkey PRIMARY KEY (one),
  constraint change_version_one_check CHECK (one)
) with (fillfactor=50);

create table daily_tables (
  name text not null,
  days_ahead integer not null default 7,
  constraint daily_tables_pkey PRIMARY KEY (name),
  constraint daily_tables_days_ahead_check CHECK (((days_ahead >= 1) AND (days_ahead <= 400)))
);

create table devices (
  tenant_id uuid not null,
  id uuid not null,
  environment text not null,
  name text not null,
  status text not null default 'pending'::text,
  allowed_templates text[] not null,
  pairing_hash bytea not null,
  pairing_expires_at timestamp with time zone not null,
  generation integer not null default 0,
  created_at timestamp with time zone not null,
  enrolled_at timestamp with time zone,
  last_seen_at timestamp with time zone,
  revoked_at timestamp with time zone,
  revoked_by_reuse boolean not null default false,
  registered_by uuid,
  tokens_after timestamp with time zone,
  accepts_later_generation boolean not null default false,
  registered_by_key uuid,
  pin_hash bytea,
  pin_failures smallint not null default 0,
  pin_failed_at timestamp with time zone,
  keep_awake boolean not null default false,
  purpose text,
  constraint devices_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES tenants(id),
  constraint devices_pkey PRIMARY KEY (tenant_id, id),
  constraint devices_id_key UNIQUE (id),
  constraint devices_pairing_hash_key UNIQUE (pairing_hash),
  constraint devices_allowed_templates_check CHECK (((cardinality(allowed_templates) >= 1) AND (cardinality(allowed_templates) <= 20))),
  constraint devices_check CHECK (((status = 'revoked'::text) = (revoked_at IS NOT NULL))),
  constraint devices_environment_check CHECK ((environment = ANY (ARRAY['test'::text, 'live'::text]))),
  constraint devices_generation_check CHECK ((generation >= 0)),
  constraint devices_name_check CHECK (((char_length(name) >= 1) AND (char_length(name) <= 64))),
  constraint devices_pairing_hash_check CHECK ((octet_length(pairing_hash) = 32)),
  constraint devices_purpose_check CHECK (((char_length(purpose) >= 1) AND (char_length(purpose) <= 300))),
  constraint devices_status_check CHECK ((status = ANY (ARRAY['pending'::text, 'active'::text, 'revoked'::text])))
);
CREATE INDEX devices_active ON public.devices USING btree (tenant_id, environment) WHERE (status = 'active'::text);
CREATE INDEX devices_created ON public.devices USING btree (tenant_id, created_at);
CREATE INDEX devices_enrolled ON public.devices USING btree (tenant_id, environment) WHERE (enrolled_at IS NOT NULL);
CREATE INDEX devices_newest ON public.devices USING btree (tenant_id, environment, created_at DESC, id DESC);
CREATE INDEX devices_pending ON public.devices USING btree (tenant_id, pairing_expires_at) WHERE (status = 'pending'::text);
CREATE INDEX devices_registered_by ON public.devices USING btree (tenant_id, registered_by) WHERE ((registered_by IS NOT NULL) AND (status <> 'revoked'::text));
CREATE INDEX devices_reused ON public.devices USING btree (tenant_id, environment, revoked_at DESC) WHERE revoked_by_reuse;
CREATE INDEX devices_tenant_id_environment_created_at_idx ON public.devices USING btree (tenant_id, environment, created_at DESC);
CREATE CONSTRAINT TRIGGER replace_change_version AFTER UPDATE ON public.devices DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (((old.status = 'active'::text) AND ((to_jsonb(old.*) - '{pairing_hash,pairing_expires_at,generation,last_seen_at,accepts_later_generation}'::text[]) IS DISTINCT FROM (to_jsonb(new.*) - '{pairing_hash,pairing_expires_at,generation,last_seen_at,accepts_later_generation}'::text[])))) EXECUTE FUNCTION replace_change_version();
CREATE CONSTRAINT TRIGGER replace_change_version_on_others AFTER DELETE ON public.devices DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION replace_change_version();
CREATE TRIGGER replace_change_version_on_truncate AFTER TRUNCATE ON public.devices FOR EACH STATEMENT EXECUTE FUNCTION replace_change_version();

create table ecosystem_identities (
  tenant_id uuid,
  ecosystem text not null,
  environment text not null,
  certificate bytea not null,
  rp_metadata bytea,
  created_by uuid,
  created_at timestamp with time zone not null default service_now(),
  constraint ecosystem_identities_certificate_fkey FOREIGN KEY (certificate) REFERENCES access_certificates(hash),
  constraint ecosystem_identities_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES tenants(id),
  constraint ecosystem_identities_tenant_id_ecosystem_environment_key UNIQUE NULLS NOT DISTINCT (tenant_id, ecosystem, environment),
  constraint ecosystem_identities_ecosystem_check CHECK ((ecosystem = ANY (ARRAY['apple'::text, 'google'::text, 'iso'::text]))),
  constraint ecosystem_identities_environment_check CHECK ((environment = ANY (ARRAY['test'::text, 'live'::text])))
);
CREATE CONSTRAINT TRIGGER replace_change_version AFTER UPDATE ON public.ecosystem_identities DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (((to_jsonb(old.*) - '{created_by}'::text[]) IS DISTINCT FROM (to_jsonb(new.*) - '{created_by}'::text[]))) EXECUTE FUNCTION replace_change_version();
CREATE CONSTRAINT TRIGGER replace_change_version_on_others AFTER INSERT OR DELETE ON public.ecosystem_identities DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION replace_change_version();
CREATE TRIGGER replace_change_version_on_truncate AFTER TRUNCATE ON public.ecosystem_identities FOR EACH STATEMENT EXECUTE FUNCTION replace_change_version();

create table erased_outcomes (
  tenant_id uuid not null,
  environment text not null,
  day date not null,
  template text not null,
  device_id uuid not null,
  outcome text not null,
  error_code text not null,
  opened boolean not null,
  response_bucket smallint not null,
  verifications integer not null,
  constraint erased_outcomes_pkey PRIMARY KEY (tenant_id, environment, day, template, device_id, outcome, error_code, opened, response_bucket),
  constraint erased_outcomes_verifications_check CHECK ((verifications > 0))
);
CREATE INDEX erased_outcomes_day ON public.erased_outcomes USING btree (day);

create table erasure_ledgers (
  ledger text not null,
  confirmed bigint not null,
  confirmed_bytes bigint not null,
  last_at timestamp with time zone not null,
  constraint erasure_ledgers_pkey PRIMARY KEY (ledger)
);

create table erasure_marks (
  ledger text not null,
  "position" bigint not null,
  constraint erasure_marks_pkey PRIMARY KEY (ledger, "position")
);

create table erasure_requests (
  verification_id text not null,
  verification_day date not null,
  tenant_id uuid not null,
  environment text not null,
  reference_hash bytea not null /* no statistics */,
  requested_at timestamp with time zone not null,
  due_at timestamp with time zone not null,
  refused_at timestamp with time zone,
  constraint erasure_requests_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES tenants(id) ON DELETE CASCADE,
  constraint erasure_requests_pkey PRIMARY KEY (verification_id),
  constraint erasure_requests_environment_check CHECK ((environment = ANY (ARRAY['test'::text, 'live'::text])))
);
CREATE INDEX erasure_requests_of_day ON public.erasure_requests USING btree (verification_day);
CREATE INDEX erasure_requests_of_tenant ON public.erasure_requests USING btree (tenant_id, environment, due_at, verification_id);

create table failing_webhook_hosts (
  tenant_id uuid not null,
  environment text not null,
  host text not null,
  failing_since timestamp with time zone,
  last_failed_at timestamp with time zone not null,
  alerted_at timestamp with time zone,
  constraint failing_webhook_hosts_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES tenants(id) ON DELETE CASCADE,
  constraint failing_webhook_hosts_pkey PRIMARY KEY (tenant_id, environment, host),
  constraint failing_webhook_hosts_environment_check CHECK ((environment = ANY (ARRAY['test'::text, 'live'::text])))
);

create table idempotency_keys (
  day date not null,
  key_hash bytea not null,
  body_hash bytea not null,
  response text /* no statistics */,
  created_at timestamp with time zone not null,
  expires_at timestamp with time zone not null,
  verification_id text /* no statistics */,
  constraint idempotency_keys_pkey PRIMARY KEY (key_hash, day)
) partition by RANGE (day);

create table keyring (
  id integer not null,
  purpose text not null,
  wrapped bytea not null,
  created_at timestamp with time zone not null default service_now(),
  cell text,
  retired_at timestamp with time zone,
  constraint keyring_pkey PRIMARY KEY (id),
  constraint keyring_cell_check CHECK ((cell ~ '^[0-9A-Za-z]$'::text)),
  constraint keyring_check CHECK (((purpose = ANY (ARRAY['mac'::text, 'seal'::text, 'carried_mac'::text])) AND ((purpose = 'carried_mac'::text) = (cell IS NOT NULL))))
);
CREATE UNIQUE INDEX keyring_cell ON public.keyring USING btree (cell) WHERE (cell IS NOT NULL);

create table link_results (
  id bigint not null generated always as identity,
  tenant_id uuid not null,
  environment text not null,
  link_id text not null,
  verification_id text not null,
  status text not null,
  at timestamp with time zone not null,
  constraint link_results_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES tenants(id) ON DELETE CASCADE,
  constraint link_results_pkey PRIMARY KEY (id)
);
CREATE INDEX link_results_tenant_id ON public.link_results USING btree (tenant_id, at);
CREATE INDEX link_results_verification_id ON public.link_results USING btree (verification_id);

create view linked_trust_lists as
 SELECT l.id,
    l.url,
    above.url AS source,
    LEAST(l.trusted_until, above.trusted_until) AS trusted_until
   FROM (trust_lists l
     LEFT JOIN trust_lists above ON ((above.id = l.source_id)));

create table mail_room (
  address text not null,
  room double precision not null,
  updated_at timestamp with time zone not null,
  constraint mail_room_pkey PRIMARY KEY (address)
);
CREATE INDEX mail_room_updated_at_idx ON public.mail_room USING btree (updated_at);

create table mails (
  id uuid not null default gen_random_uuid(),
  tenant_id uuid not null,
  member_id uuid,
  invitation_id uuid,
  recipient text not null,
  sealed bytea,
  created_at timestamp with time zone not null,
  expires_at timestamp with time zone not null,
  state text not null,
  failure text,
  constraint mails_tenant_id_invitation_id_fkey FOREIGN KEY (tenant_id, invitation_id) REFERENCES member_invitations(tenant_id, id) ON UPDATE CASCADE ON DELETE CASCADE,
  constraint mails_tenant_id_member_id_fkey FOREIGN KEY (tenant_id, member_id) REFERENCES members(tenant_id, id) ON DELETE CASCADE,
  constraint mails_pkey PRIMARY KEY (id),
  constraint mails_recipient_check CHECK ((char_length(recipient) <= 254)),
  constraint mails_state_check CHECK ((state = ANY (ARRAY['waiting'::text, 'sent'::text, 'failed'::text])))
);
CREATE INDEX mails_invitation ON public.mails USING btree (tenant_id, invitation_id) WHERE (invitation_id IS NOT NULL);
CREATE INDEX mails_member ON public.mails USING btree (tenant_id, member_id) WHERE (member_id IS NOT NULL);
CREATE TRIGGER refuse_retired_key BEFORE INSERT OR UPDATE OF sealed ON public.mails FOR EACH ROW EXECUTE FUNCTION refuse_retired_key('sealed');

create table member_invitations (
  tenant_id uuid not null,
  id uuid not null,
  token_hash bytea not null,
  member_id uuid not null,
  email text not null,
  role text not null,
  invited_by text not null,
  created_at timestamp with time zone not null,
  expires_at timestamp with time zone not null,
  inviter text not null,
  constraint member_invitations_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES tenants(id),
  constraint member_invitations_pkey PRIMARY KEY (tenant_id, id),
  constraint member_invitations_id_key UNIQUE (id),
  constraint member_invitations_tenant_id_email_key UNIQUE (tenant_id, email),
  constraint member_invitations_token_hash_key UNIQUE (token_hash),
  constraint member_invitations_role_check CHECK ((role = ANY (ARRAY['owner'::text, 'admin'::text, 'developer'::text, 'support'::text, 'auditor'::text])))
);

create table member_passkeys (
  credential_id text not null,
  tenant_id uuid not null,
  member_id uuid not null,
  name text not null,
  public_key bytea not null,
  counter bigint not null,
  transports text[] not null,
  backed_up boolean not null,
  created_at timestamp with time zone not null default service_now(),
  last_used_at timestamp with time zone,
  constraint member_passkeys_tenant_id_member_id_fkey FOREIGN KEY (tenant_id, member_id) REFERENCES members(tenant_id, id) ON DELETE CASCADE,
  constraint member_passkeys_pkey PRIMARY KEY (credential_id),
  constraint member_passkeys_credential_id_check CHECK ((char_length(credential_id) <= 1400)),
  constraint member_passkeys_name_check CHECK (((char_length(name) >= 1) AND (char_length(name) <= 80)))
);
CREATE INDEX member_passkeys_tenant_id_member_id_idx ON public.member_passkeys USING btree (tenant_id, member_id);

create table member_return_links (
  tenant_id uuid not null,
  id uuid not null,
  member_id uuid not null,
  made_by text not null,
  made_at timestamp with time zone not null,
  used_at timestamp with time zone,
  constraint member_return_links_tenant_id_member_id_fkey FOREIGN KEY (tenant_id, member_id) REFERENCES members(tenant_id, id) ON DELETE CASCADE,
  constraint member_return_links_pkey PRIMARY KEY (tenant_id, id)
);
CREATE INDEX member_return_links_made_at_idx ON public.member_return_links USING btree (made_at);
CREATE INDEX member_return_links_tenant_id_member_id_made_at_idx ON public.member_return_links USING btree (tenant_id, member_id, made_at DESC);

create table member_sessions (
  token_hash bytea not null,
  tenant_id uuid not null,
  member_id uuid not null,
  created_at timestamp with time zone not null,
  seen_at timestamp with time zone not null,
  expires_at timestamp with time zone not null,
  confirmed_at timestamp with time zone,
  method text,
  browser text,
  constraint member_sessions_tenant_id_member_id_fkey FOREIGN KEY (tenant_id, member_id) REFERENCES members(tenant_id, id) ON DELETE CASCADE,
  constraint member_sessions_pkey PRIMARY KEY (token_hash),
  constraint member_sessions_browser_check CHECK ((length(browser) <= 40)),
  constraint member_sessions_method_check CHECK ((method = ANY (ARRAY['passkey'::text, 'oidc'::text, 'link'::text])))
);
CREATE INDEX member_sessions_expires_at_idx ON public.member_sessions USING btree (expires_at);
CREATE INDEX member_sessions_tenant_id_member_id_created_at_idx ON public.member_sessions USING btree (tenant_id, member_id, created_at);

create table members (
  tenant_id uuid not null,
  id uuid not null,
  email text not null,
  name text not null,
  role text not null,
  oidc_issuer text,
  oidc_subject text,
  created_at timestamp with time zone not null default service_now(),
  last_seen_at timestamp with time zone,
  language text,
  constraint members_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES tenants(id),
  constraint members_pkey PRIMARY KEY (tenant_id, id),
  constraint members_id_key UNIQUE (id),
  constraint members_oidc_issuer_oidc_subject_key UNIQUE (oidc_issuer, oidc_subject),
  constraint members_tenant_id_email_key UNIQUE (tenant_id, email),
  constraint members_check CHECK (((oidc_issuer IS NULL) = (oidc_subject IS NULL))),
  constraint members_email_check CHECK ((char_length(email) <= 254)),
  constraint members_language_check CHECK (((char_length(language) >= 2) AND (char_length(language) <= 8))),
  constraint members_name_check CHECK (((char_length(name) >= 1) AND (char_length(name) <= 80))),
  constraint members_role_check CHECK ((role = ANY (ARRAY['owner'::text, 'admin'::text, 'developer'::text, 'support'::text, 'auditor'::text])))
);
CREATE INDEX members_email ON public.members USING btree (email);
CREATE CONSTRAINT TRIGGER replace_change_version AFTER UPDATE ON public.members DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (((to_jsonb(old.*) - '{last_seen_at}'::text[]) IS DISTINCT FROM (to_jsonb(new.*) - '{last_seen_at}'::text[]))) EXECUTE FUNCTION replace_change_version();
CREATE CONSTRAINT TRIGGER replace_change_version_on_others AFTER DELETE ON public.members DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION replace_change_version();
CREATE TRIGGER replace_change_version_on_truncate AFTER TRUNCATE ON public.members FOR EACH STATEMENT EXECUTE FUNCTION replace_change_version();

create table metadata_marks (
  tenant_id uuid not null,
  indexed_until timestamp with time zone not null,
  day date not null,
  used integer not null,
  constraint metadata_marks_pkey PRIMARY KEY (tenant_id)
);

create table moved_routes (
  route text not null,
  tenant uuid not null,
  cell text not null,
  until_at timestamp with time zone,
  constraint moved_routes_pkey PRIMARY KEY (route)
);
CREATE INDEX moved_routes_tenant ON public.moved_routes USING btree (tenant);

create table openid_authorizations (
  id text not null,
  tenant_id uuid not null,
  client_id text not null,
  verification_day date,
  verification_id text,
  browser_hash bytea not null,
  redirect_uri text not null,
  state text,
  nonce text,
  code_challenge text,
  returned_at timestamp with time zone,
  exchanged_at timestamp with time zone,
  ends_at timestamp with time zone not null,
  response_mode text not null default 'query'::text,
  request_hash bytea,
  constraint openid_authorizations_client_id_fkey FOREIGN KEY (client_id) REFERENCES openid_clients(id) ON DELETE CASCADE,
  constraint openid_authorizations_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES openid_issuers(tenant_id),
  constraint openid_authorizations_pkey PRIMARY KEY (id),
  constraint openid_authorizations_injection_check CHECK (((code_challenge IS NOT NULL) OR (nonce IS NOT NULL))),
  constraint openid_authorizations_response_mode_check CHECK ((response_mode = ANY (ARRAY['query'::text, 'form_post'::text])))
);
CREATE INDEX openid_authorizations_client ON public.openid_authorizations USING btree (client_id);
CREATE INDEX openid_authorizations_ends ON public.openid_authorizations USING btree (ends_at);
CREATE UNIQUE INDEX openid_authorizations_request ON public.openid_authorizations USING btree (request_hash);
CREATE INDEX openid_authorizations_session ON public.openid_authorizations USING btree (verification_id);

create table openid_client_secrets (
  id uuid not null,
  tenant_id uuid not null,
  client_id text not null,
  hash bytea not null,
  created_at timestamp with time zone not null default service_now(),
  expires_at timestamp with time zone,
  constraint openid_client_secrets_client_id_fkey FOREIGN KEY (client_id) REFERENCES openid_clients(id) ON DELETE CASCADE,
  constraint openid_client_secrets_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES openid_issuers(tenant_id),
  constraint openid_client_secrets_pkey PRIMARY KEY (id)
);
CREATE INDEX openid_client_secrets_client ON public.openid_client_secrets USING btree (client_id);

create table openid_clients (
  id text not null,
  tenant_id uuid not null,
  environment text not null,
  name text not null,
  redirect_uris text[] not null,
  templates text[] not null,
  purpose text,
  authentication text not null,
  id_token_algorithm text not null,
  subject_claim text,
  created_by uuid,
  created_at timestamp with time zone not null default service_now(),
  last_problem text,
  last_problem_at timestamp with time zone,
  cross_device boolean not null default false,
  pkce_required boolean not null default true,
  constraint openid_clients_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES openid_issuers(tenant_id),
  constraint openid_clients_pkey PRIMARY KEY (id),
  constraint openid_clients_authentication_check CHECK ((authentication = ANY (ARRAY['secret'::text, 'none'::text]))),
  constraint openid_clients_environment_check CHECK ((environment = ANY (ARRAY['test'::text, 'live'::text]))),
  constraint openid_clients_id_token_algorithm_check CHECK ((id_token_algorithm = ANY (ARRAY['RS256'::text, 'ES256'::text]))),
  constraint openid_clients_last_problem_check CHECK ((length(last_problem) <= 500)),
  constraint openid_clients_pkce_check CHECK ((pkce_required OR (authentication = 'secret'::text)))
);
CREATE INDEX openid_clients_tenant ON public.openid_clients USING btree (tenant_id, environment, created_at);

create table openid_issuers (
  tenant_id uuid not null,
  cell text not null,
  sealed bytea not null,
  created_at timestamp with time zone not null default service_now(),
  constraint openid_issuers_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES tenants(id),
  constraint openid_issuers_pkey PRIMARY KEY (tenant_id)
);
CREATE INDEX openid_issuers_key ON public.openid_issuers USING btree (sealing_key_of(sealed));
CREATE TRIGGER refuse_retired_key BEFORE INSERT OR UPDATE OF sealed ON public.openid_issuers FOR EACH ROW EXECUTE FUNCTION refuse_retired_key('sealed');

create table openid_keys (
  tenant_id uuid not null,
  id text not null,
  algorithm text not null,
  public_jwk jsonb not null,
  sealed bytea not null,
  signs_from timestamp with time zone not null,
  constraint openid_keys_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES openid_issuers(tenant_id),
  constraint openid_keys_pkey PRIMARY KEY (tenant_id, id),
  constraint openid_keys_algorithm_check CHECK ((algorithm = ANY (ARRAY['RS256'::text, 'ES256'::text])))
);
CREATE INDEX openid_keys_key ON public.openid_keys USING btree (sealing_key_of(sealed));
CREATE TRIGGER refuse_retired_key BEFORE INSERT OR UPDATE OF sealed ON public.openid_keys FOR EACH ROW EXECUTE FUNCTION refuse_retired_key('sealed');

create table operator_passkeys (
  credential_id text not null,
  operator_id uuid not null,
  name text not null,
  public_key bytea not null,
  counter bigint not null,
  transports text[] not null,
  backed_up boolean not null,
  created_at timestamp with time zone not null default service_now(),
  last_used_at timestamp with time zone,
  constraint operator_passkeys_operator_id_fkey FOREIGN KEY (operator_id) REFERENCES operators(id) ON DELETE CASCADE,
  constraint operator_passkeys_pkey PRIMARY KEY (credential_id),
  constraint operator_passkeys_credential_id_check CHECK ((char_length(credential_id) <= 1400)),
  constraint operator_passkeys_name_check CHECK (((char_length(name) >= 1) AND (char_length(name) <= 80)))
);
CREATE INDEX operator_passkeys_operator_id ON public.operator_passkeys USING btree (operator_id);

create table operator_sessions (
  token_hash bytea not null,
  operator_id uuid not null,
  created_at timestamp with time zone not null,
  seen_at timestamp with time zone not null,
  expires_at timestamp with time zone not null,
  confirmed_at timestamp with time zone,
  method text,
  constraint operator_sessions_operator_id_fkey FOREIGN KEY (operator_id) REFERENCES operators(id) ON DELETE CASCADE,
  constraint operator_sessions_pkey PRIMARY KEY (token_hash),
  constraint operator_sessions_method_check CHECK ((method = ANY (ARRAY['passkey'::text, 'oidc'::text])))
);
CREATE INDEX operator_sessions_expires_at ON public.operator_sessions USING btree (expires_at);
CREATE INDEX operator_sessions_operator_id ON public.operator_sessions USING btree (operator_id, created_at);

create table operator_tokens (
  id uuid not null default gen_random_uuid(),
  operator_id uuid not null,
  hash bytea not null,
  prefix text not null,
  name text not null,
  role text not null,
  created_at timestamp with time zone not null default service_now(),
  expires_at timestamp with time zone not null,
  last_used_at timestamp with time zone,
  revoked_at timestamp with time zone,
  constraint operator_tokens_operator_id_fkey FOREIGN KEY (operator_id) REFERENCES operators(id) ON DELETE CASCADE,
  constraint operator_tokens_pkey PRIMARY KEY (id),
  constraint operator_tokens_hash_key UNIQUE (hash),
  constraint operator_tokens_name_check CHECK (((char_length(name) >= 1) AND (char_length(name) <= 80))),
  constraint operator_tokens_role_check CHECK ((role = ANY (ARRAY['owner'::text, 'support'::text, 'billing'::text, 'auditor'::text])))
);
CREATE INDEX operator_tokens_expires_at ON public.operator_tokens USING btree (expires_at);
CREATE INDEX operator_tokens_operator_id ON public.operator_tokens USING btree (operator_id, created_at);

create table operators (
  id uuid not null default gen_random_uuid(),
  name text not null,
  email text not null,
  role text not null,
  created_at timestamp with time zone not null default service_now(),
  joined_at timestamp with time zone,
  last_seen_at timestamp with time zone,
  removed_at timestamp with time zone,
  invitation_hash bytea,
  invited_until timestamp with time zone,
  oidc_issuer text,
  oidc_subject text,
  constraint operators_pkey PRIMARY KEY (id),
  constraint operators_identity_key UNIQUE (oidc_issuer, oidc_subject),
  constraint operators_invitation_hash_key UNIQUE (invitation_hash),
  constraint operators_email_check CHECK ((char_length(email) <= 254)),
  constraint operators_identity_check CHECK (((oidc_issuer IS NULL) = (oidc_subject IS NULL))),
  constraint operators_name_check CHECK (((char_length(name) >= 1) AND (char_length(name) <= 80))),
  constraint operators_oidc_subject_check CHECK ((char_length(oidc_subject) <= 255)),
  constraint operators_role_check CHECK ((role = ANY (ARRAY['owner'::text, 'support'::text, 'billing'::text, 'auditor'::text])))
);
CREATE UNIQUE INDEX operators_email ON public.operators USING btree (email) WHERE (removed_at IS NULL);

create table outcome_counts (
  tenant_id uuid not null,
  environment text not null,
  by_template boolean not null,
  by_device boolean not null,
  template text not null,
  device_id uuid not null,
  day date not null,
  outcome text not null,
  error_code text not null,
  opened boolean not null,
  response_bucket smallint not null,
  verifications integer not null,
  constraint outcome_counts_pkey PRIMARY KEY (tenant_id, environment, by_template, by_device, template, device_id, day, outcome, error_code, opened, response_bucket),
  constraint outcome_counts_verifications_check CHECK ((verifications > 0))
);
CREATE INDEX outcome_counts_day ON public.outcome_counts USING btree (day);

create table outcome_marks (
  tenant_id uuid not null,
  environment text not null,
  counted_before timestamp with time zone not null,
  constraint outcome_marks_pkey PRIMARY KEY (tenant_id, environment)
);

create table outcome_parts (
  tenant_id uuid not null,
  environment text not null,
  by_template boolean not null,
  by_device boolean not null,
  template text not null,
  device_id uuid not null,
  day date not null,
  outcome text not null,
  error_code text not null,
  opened boolean not null,
  response_bucket smallint not null,
  verifications integer not null,
  constraint outcome_parts_pkey PRIMARY KEY (tenant_id, environment, by_template, by_device, template, device_id, day, outcome, error_code, opened, response_bucket),
  constraint outcome_parts_verifications_check CHECK ((verifications > 0))
);
CREATE INDEX outcome_parts_day ON public.outcome_parts USING btree (day);

create table outcome_progress (
  one boolean not null default true,
  through date not null,
  constraint outcome_progress_pkey PRIMARY KEY (one),
  constraint outcome_progress_one_check CHECK (one)
);

create table pairing_guesses (
  address text not null,
  room double precision not null,
  updated_at timestamp with time zone not null,
  constraint pairing_guesses_pkey PRIMARY KEY (address),
  constraint pairing_guesses_room_check CHECK ((room >= (0)::double precision))
);
CREATE INDEX pairing_guesses_updated_at_idx ON public.pairing_guesses USING btree (updated_at);

create table plans (
  name text not null,
  by_default boolean not null default false,
  daily_quota integer not null,
  devices integer not null,
  registrations_a_day integer not null,
  members integer not null,
  invitations integer not null,
  keys integer not null,
  templates integer not null,
  constraint plans_pkey PRIMARY KEY (name),
  constraint plans_daily_quota_check CHECK ((daily_quota >= 0)),
  constraint plans_devices_check CHECK ((devices >= 0)),
  constraint plans_invitations_check CHECK ((invitations >= 0)),
  constraint plans_keys_check CHECK ((keys >= 0)),
  constraint plans_members_check CHECK ((members >= 0)),
  constraint plans_name_check CHECK ((name ~ '^[a-z][a-z0-9_-]{0,31}$'::text)),
  constraint plans_registrations_a_day_check CHECK ((registrations_a_day >= 0)),
  constraint plans_templates_check CHECK ((templates >= 0))
);
CREATE UNIQUE INDEX plans_by_default ON public.plans USING btree (by_default) WHERE by_default;

create table registration_settings (
  tenant_id uuid not null,
  encoding text not null default 'base64url'::text,
  policy text not null default 'warn'::text,
  constraint registration_settings_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES tenants(id),
  constraint registration_settings_pkey PRIMARY KEY (tenant_id),
  constraint registration_settings_encoding_check CHECK ((encoding = ANY (ARRAY['base64url'::text, 'jwt'::text]))),
  constraint registration_settings_policy_check CHECK ((policy = ANY (ARRAY['warn'::text, 'refuse'::text])))
);
CREATE CONSTRAINT TRIGGER replace_change_version AFTER UPDATE ON public.registration_settings DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (((to_jsonb(old.*) - '{}'::text[]) IS DISTINCT FROM (to_jsonb(new.*) - '{}'::text[]))) EXECUTE FUNCTION replace_change_version();
CREATE CONSTRAINT TRIGGER replace_change_version_on_others AFTER INSERT OR DELETE ON public.registration_settings DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION replace_change_version();
CREATE TRIGGER replace_change_version_on_truncate AFTER TRUNCATE ON public.registration_settings FOR EACH STATEMENT EXECUTE FUNCTION replace_change_version();

create table registrations (
  tenant_id uuid not null,
  id uuid not null default gen_random_uuid(),
  name text not null,
  is_default boolean not null,
  token text not null,
  fingerprint bytea not null,
  contents jsonb not null,
  dataset jsonb,
  info_base64url bytea not null,
  info_jwt bytea not null,
  findings jsonb not null default '[]'::jsonb,
  expires_at timestamp with time zone,
  created_at timestamp with time zone not null default service_now(),
  checked_at timestamp with time zone,
  check_due_at timestamp with time zone not null default service_now(),
  constraint registrations_info_base64url_fkey FOREIGN KEY (info_base64url) REFERENCES verifier_infos(hash),
  constraint registrations_info_jwt_fkey FOREIGN KEY (info_jwt) REFERENCES verifier_infos(hash),
  constraint registrations_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES tenants(id),
  constraint registrations_pkey PRIMARY KEY (tenant_id, id)
);
CREATE INDEX registrations_check_due ON public.registrations USING btree (check_due_at);
CREATE UNIQUE INDEX registrations_fingerprint ON public.registrations USING btree (tenant_id, fingerprint);
CREATE UNIQUE INDEX registrations_one_default ON public.registrations USING btree (tenant_id) WHERE is_default;
CREATE CONSTRAINT TRIGGER replace_change_version AFTER UPDATE ON public.registrations DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (((to_jsonb(old.*) - '{findings,checked_at,check_due_at}'::text[]) IS DISTINCT FROM (to_jsonb(new.*) - '{findings,checked_at,check_due_at}'::text[]))) EXECUTE FUNCTION replace_change_version();
CREATE CONSTRAINT TRIGGER replace_change_version_on_others AFTER INSERT OR DELETE ON public.registrations DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION replace_change_version();
CREATE TRIGGER replace_change_version_on_truncate AFTER TRUNCATE ON public.registrations FOR EACH STATEMENT EXECUTE FUNCTION replace_change_version();

create table request_log (
  day date not null,
  id bigint not null default nextval('request_log_ids'::regclass),
  at timestamp with time zone not null,
  tenant_id uuid not null,
  environment text not null,
  request_id text not null,
  method text not null,
  route text not null,
  status smallint not null,
  error_code text,
  duration_us integer not null,
  idempotency text,
  key_id uuid,
  device_id uuid,
  member_id uuid,
  verification_hash bytea,
  omitted integer not null default 0,
  warning text,
  constraint request_log_pkey PRIMARY KEY (tenant_id, environment, at, id, day),
  constraint request_log_idempotency_check CHECK ((idempotency = ANY (ARRAY['new'::text, 'replayed'::text, 'conflict'::text])))
) partition by RANGE (day);
CREATE INDEX request_log_session_hash_idx ON ONLY public.request_log USING btree (verification_hash) WHERE (verification_hash IS NOT NULL);
CREATE INDEX request_log_tenant_id_request_id_idx ON ONLY public.request_log USING btree (tenant_id, request_id);

create table request_log_off (
  tenant_id uuid not null,
  constraint request_log_off_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES tenants(id),
  constraint request_log_off_pkey PRIMARY KEY (tenant_id)
);

create table revocation_lists (
  environment text not null,
  uri text not null,
  issuer bytea not null default '\x'::bytea,
  issuer_certificate bytea,
  token bytea not null,
  media text not null,
  issued_at timestamp with time zone not null,
  fetched_at timestamp with time zone not null,
  refresh_at timestamp with time zone not null,
  lapses_at timestamp with time zone not null,
  used_at timestamp with time zone not null,
  constraint revocation_lists_pkey PRIMARY KEY (environment, uri, issuer),
  constraint revocation_lists_check CHECK (((issuer_certificate IS NULL) = (issuer = '\x'::bytea))),
  constraint revocation_lists_environment_check CHECK ((environment = ANY (ARRAY['test'::text, 'live'::text]))),
  constraint revocation_lists_issuer_check CHECK ((length(issuer) = ANY (ARRAY[0, 32]))),
  constraint revocation_lists_media_check CHECK ((media = ANY (ARRAY['jwt'::text, 'cwt'::text, 'crl'::text, 'ocsp'::text]))),
  constraint revocation_lists_uri_check CHECK ((char_length(uri) <= 2048))
);
CREATE INDEX revocation_lists_refresh_at_idx ON public.revocation_lists USING btree (refresh_at);
CREATE INDEX revocation_lists_used_at_idx ON public.revocation_lists USING btree (used_at);

create table sandbox_issuer (
  one boolean not null default true,
  sealed bytea not null,
  constraint sandbox_issuer_pkey PRIMARY KEY (one),
  constraint sandbox_issuer_one_check CHECK (one)
);
CREATE TRIGGER refuse_retired_key BEFORE INSERT OR UPDATE OF sealed ON public.sandbox_issuer FOR EACH ROW EXECUTE FUNCTION refuse_retired_key('sealed');

create table schema_definitions (
  name text not null,
  hash text not null,
  version text not null,
  constraint schema_definitions_pkey PRIMARY KEY (name)
);

create table schema_migrations (
  name text not null,
  applied_at timestamp with time zone not null default now(),
  constraint schema_migrations_pkey PRIMARY KEY (name)
);

create table sealing_keys (
  tenant_id uuid not null,
  environment text not null,
  kid text not null,
  jwk jsonb not null,
  name text,
  state text not null,
  challenge_hash bytea,
  challenge_expires_at timestamp with time zone,
  created_at timestamp with time zone not null,
  activated_at timestamp with time zone,
  retired_at timestamp with time zone,
  constraint sealing_keys_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES tenants(id) ON DELETE CASCADE,
  constraint sealing_keys_pkey PRIMARY KEY (tenant_id, environment, kid),
  constraint sealing_keys_check CHECK (((state = 'pending'::text) = (challenge_hash IS NOT NULL))),
  constraint sealing_keys_check1 CHECK (((challenge_hash IS NULL) = (challenge_expires_at IS NULL))),
  constraint sealing_keys_environment_check CHECK ((environment = ANY (ARRAY['test'::text, 'live'::text]))),
  constraint sealing_keys_state_check CHECK ((state = ANY (ARRAY['pending'::text, 'active'::text, 'retired'::text])))
);
CREATE CONSTRAINT TRIGGER replace_change_version AFTER UPDATE ON public.sealing_keys DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (((to_jsonb(old.*) - '{}'::text[]) IS DISTINCT FROM (to_jsonb(new.*) - '{}'::text[]))) EXECUTE FUNCTION replace_change_version();
CREATE CONSTRAINT TRIGGER replace_change_version_on_others AFTER INSERT OR DELETE ON public.sealing_keys DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION replace_change_version();
CREATE TRIGGER replace_change_version_on_truncate AFTER TRUNCATE ON public.sealing_keys FOR EACH STATEMENT EXECUTE FUNCTION replace_change_version();

create table sign_in_room (
  address text not null,
  room double precision not null,
  updated_at timestamp with time zone not null,
  constraint sign_in_room_pkey PRIMARY KEY (address),
  constraint sign_in_room_room_check CHECK ((room >= (0)::double precision))
);
CREATE INDEX sign_in_room_updated_at_idx ON public.sign_in_room USING btree (updated_at);

create table sign_ups (
  token_hash bytea not null,
  id uuid not null,
  member_id uuid not null,
  email text not null,
  organisation text not null,
  created_at timestamp with time zone not null,
  expires_at timestamp with time zone not null,
  constraint sign_ups_pkey PRIMARY KEY (token_hash),
  constraint sign_ups_email_check CHECK ((char_length(email) <= 254)),
  constraint sign_ups_organisation_check CHECK (((char_length(organisation) >= 1) AND (char_length(organisation) <= 200)))
);
CREATE INDEX sign_ups_email_idx ON public.sign_ups USING btree (email);
CREATE INDEX sign_ups_expires_at_idx ON public.sign_ups USING btree (expires_at);

create table spent_challenges (
  hash bytea not null,
  expires_at timestamp with time zone not null,
  constraint spent_challenges_pkey PRIMARY KEY (hash)
);
CREATE INDEX spent_challenges_expires_at_idx ON public.spent_challenges USING btree (expires_at);

create table support_access (
  tenant_id uuid not null,
  given_by text not null,
  name text not null,
  reason text,
  since timestamp with time zone not null,
  until timestamp with time zone not null,
  constraint support_access_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES tenants(id),
  constraint support_access_pkey PRIMARY KEY (tenant_id),
  constraint support_access_given_by_check CHECK ((given_by = ANY (ARRAY['tenant'::text, 'operator'::text]))),
  constraint support_access_name_check CHECK ((char_length(name) <= 200)),
  constraint support_access_reason_check CHECK ((char_length(reason) <= 500))
);
CREATE INDEX support_access_until_idx ON public.support_access USING btree (until);

create table template_registrations (
  tenant_id uuid not null,
  template text not null,
  registration_id uuid not null,
  constraint template_registrations_tenant_id_registration_id_fkey FOREIGN KEY (tenant_id, registration_id) REFERENCES registrations(tenant_id, id),
  constraint template_registrations_pkey PRIMARY KEY (tenant_id, template)
);
CREATE INDEX template_registrations_registration ON public.template_registrations USING btree (tenant_id, registration_id);
CREATE CONSTRAINT TRIGGER replace_change_version AFTER UPDATE ON public.template_registrations DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (((to_jsonb(old.*) - '{}'::text[]) IS DISTINCT FROM (to_jsonb(new.*) - '{}'::text[]))) EXECUTE FUNCTION replace_change_version();
CREATE CONSTRAINT TRIGGER replace_change_version_on_others AFTER INSERT OR DELETE ON public.template_registrations DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION replace_change_version();
CREATE TRIGGER replace_change_version_on_truncate AFTER TRUNCATE ON public.template_registrations FOR EACH STATEMENT EXECUTE FUNCTION replace_change_version();

create table template_versions (
  hash bytea not null,
  body jsonb not null,
  created_at timestamp with time zone not null default service_now(),
  constraint template_versions_pkey PRIMARY KEY (hash)
);

create table templates (
  tenant_id uuid not null,
  key text not null,
  version bytea not null,
  updated_at timestamp with time zone not null default service_now(),
  constraint templates_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES tenants(id),
  constraint templates_version_fkey FOREIGN KEY (version) REFERENCES template_versions(hash),
  constraint templates_pkey PRIMARY KEY (tenant_id, key)
);
CREATE CONSTRAINT TRIGGER replace_change_version AFTER UPDATE ON public.templates DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (((to_jsonb(old.*) - '{}'::text[]) IS DISTINCT FROM (to_jsonb(new.*) - '{}'::text[]))) EXECUTE FUNCTION replace_change_version();
CREATE CONSTRAINT TRIGGER replace_change_version_on_others AFTER DELETE ON public.templates DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION replace_change_version();
CREATE TRIGGER replace_change_version_on_truncate AFTER TRUNCATE ON public.templates FOR EACH STATEMENT EXECUTE FUNCTION replace_change_version();

create table tenant_anchors (
  tenant_id uuid not null,
  environment text not null,
  fingerprint bytea not null,
  certificate bytea not null,
  document_types text[],
  added_at timestamp with time zone not null default service_now(),
  role text not null default 'issuing'::text,
  entity text,
  created_by uuid,
  constraint tenant_anchors_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES tenants(id),
  constraint tenant_anchors_pkey PRIMARY KEY (tenant_id, environment, fingerprint, role),
  constraint tenant_anchors_entity_check CHECK ((char_length(entity) <= 2500)),
  constraint tenant_anchors_environment_check CHECK ((environment = ANY (ARRAY['test'::text, 'live'::text]))),
  constraint tenant_anchors_fingerprint_check CHECK ((octet_length(fingerprint) = 32)),
  constraint tenant_anchors_role_check CHECK ((role = ANY (ARRAY['issuing'::text, 'revocation'::text, 'list_signing'::text, 'registration'::text])))
);

create table tenant_identities (
  tenant_id uuid not null,
  certificate bytea,
  updated_at timestamp with time zone not null default service_now(),
  created_by uuid,
  constraint tenant_identities_certificate_fkey FOREIGN KEY (certificate) REFERENCES access_certificates(hash),
  constraint tenant_identities_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES tenants(id),
  constraint tenant_identities_pkey PRIMARY KEY (tenant_id)
);
CREATE CONSTRAINT TRIGGER replace_change_version AFTER UPDATE ON public.tenant_identities DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (((to_jsonb(old.*) - '{updated_at}'::text[]) IS DISTINCT FROM (to_jsonb(new.*) - '{updated_at}'::text[]))) EXECUTE FUNCTION replace_change_version();
CREATE CONSTRAINT TRIGGER replace_change_version_on_others AFTER INSERT OR DELETE ON public.tenant_identities DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION replace_change_version();
CREATE TRIGGER replace_change_version_on_truncate AFTER TRUNCATE ON public.tenant_identities FOR EACH STATEMENT EXECUTE FUNCTION replace_change_version();

create table tenant_moves (
  tenant uuid not null,
  to_cell text not null,
  stage text not null,
  started_at timestamp with time zone not null default service_now(),
  frozen_at timestamp with time zone,
  moved_at timestamp with time zone,
  constraint tenant_moves_pkey PRIMARY KEY (tenant),
  constraint tenant_moves_stage_check CHECK ((stage = ANY (ARRAY['draining'::text, 'frozen'::text, 'moved'::text, 'finishing'::text, 'finished'::text]))),
  constraint tenant_moves_to_cell_check CHECK ((to_cell ~ '^[0-9A-Za-z]$'::text))
);

create table tenant_trust (
  tenant_id uuid not null,
  policy text not null default 'all'::text,
  version bigint not null default 1,
  constraint tenant_trust_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES tenants(id),
  constraint tenant_trust_pkey PRIMARY KEY (tenant_id),
  constraint tenant_trust_policy_check CHECK ((policy = ANY (ARRAY['all'::text, 'own'::text])))
);
CREATE CONSTRAINT TRIGGER replace_change_version AFTER UPDATE ON public.tenant_trust DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (((to_jsonb(old.*) - '{}'::text[]) IS DISTINCT FROM (to_jsonb(new.*) - '{}'::text[]))) EXECUTE FUNCTION replace_change_version();
CREATE CONSTRAINT TRIGGER replace_change_version_on_others AFTER INSERT OR DELETE ON public.tenant_trust DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION replace_change_version();
CREATE TRIGGER replace_change_version_on_truncate AFTER TRUNCATE ON public.tenant_trust FOR EACH STATEMENT EXECUTE FUNCTION replace_change_version();

create table tenant_usage (
  tenant_id uuid not null,
  day date not null,
  used integer not null,
  last_created_at timestamp with time zone not null,
  constraint tenant_usage_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES tenants(id),
  constraint tenant_usage_pkey PRIMARY KEY (tenant_id),
  constraint tenant_usage_used_check CHECK ((used >= 0))
) with (fillfactor=30);

create table tenants (
  id uuid not null default gen_random_uuid(),
  name text not null,
  plan text not null,
  daily_quota integer,
  created_at timestamp with time zone not null default service_now(),
  retention_days integer not null default 30,
  forget_on_delivery boolean not null default false,
  hold_back boolean not null default false,
  status_unavailable text not null default 'fail'::text,
  brand jsonb not null default '{}'::jsonb,
  page_origins text[] not null default '{}'::text[],
  age_app boolean not null default false,
  hashing_cell text,
  time_zone text not null default 'UTC'::text,
  wallet_links text[] not null default '{eu-eaap,openid4vp,haip-vp}'::text[],
  max_attempts smallint not null default 1,
  moving_code boolean not null default false,
  edited_languages_only boolean not null default false,
  strict_queries boolean not null default false,
  state text not null default 'active'::text,
  state_reason text,
  state_changed_at timestamp with time zone,
  external_id text,
  deletion_at timestamp with time zone,
  deletion_begun_at timestamp with time zone,
  approval text not null default 'approved'::text,
  holder_erasure text not null default 'off'::text,
  erasure_template text,
  constraint tenants_plan_fkey FOREIGN KEY (plan) REFERENCES plans(name),
  constraint tenants_pkey PRIMARY KEY (id),
  constraint tenants_external_id_key UNIQUE (external_id),
  constraint tenants_approval_check CHECK ((approval = ANY (ARRAY['approved'::text, 'pending'::text, 'waiting'::text, 'refused'::text]))),
  constraint tenants_daily_quota_check CHECK ((daily_quota >= 0)),
  constraint tenants_external_id_check CHECK (((char_length(external_id) >= 1) AND (char_length(external_id) <= 128))),
  constraint tenants_hashing_cell_check CHECK ((hashing_cell ~ '^[0-9A-Za-z]$'::text)),
  constraint tenants_holder_erasure_check CHECK ((holder_erasure = ANY (ARRAY['off'::text, 'ask_merchant'::text, 'automatic'::text]))),
  constraint tenants_max_attempts_check CHECK (((max_attempts >= 1) AND (max_attempts <= 5))),
  constraint tenants_name_check CHECK (((char_length(name) >= 1) AND (char_length(name) <= 200))),
  constraint tenants_page_origins_check CHECK ((cardinality(page_origins) <= 10)),
  constraint tenants_retention_days_check CHECK (((retention_days >= 1) AND (retention_days <= 365))),
  constraint tenants_state_check CHECK ((state = ANY (ARRAY['active'::text, 'suspended'::text, 'closed'::text]))),
  constraint tenants_status_unavailable_check CHECK ((status_unavailable = ANY (ARRAY['fail'::text, 'warning'::text]))),
  constraint tenants_time_zone_check CHECK (((char_length(time_zone) >= 1) AND (char_length(time_zone) <= 64))),
  constraint tenants_wallet_links_check CHECK (((cardinality(wallet_links) >= 1) AND (cardinality(wallet_links) <= 5)))
);
CREATE INDEX tenants_deletion_at ON public.tenants USING btree (deletion_at) WHERE (deletion_at IS NOT NULL);
CREATE INDEX tenants_name ON public.tenants USING btree (lower(name), id);
CREATE INDEX tenants_plan ON public.tenants USING btree (plan);
CREATE INDEX tenants_unapproved ON public.tenants USING btree (created_at, id) WHERE (approval = ANY (ARRAY['pending'::text, 'waiting'::text]));
CREATE TRIGGER insert_tenant_usage AFTER INSERT ON public.tenants FOR EACH ROW EXECUTE FUNCTION insert_tenant_usage();
CREATE CONSTRAINT TRIGGER replace_change_version AFTER UPDATE ON public.tenants DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (((to_jsonb(old.*) - '{}'::text[]) IS DISTINCT FROM (to_jsonb(new.*) - '{}'::text[]))) EXECUTE FUNCTION replace_change_version();
CREATE CONSTRAINT TRIGGER replace_change_version_on_others AFTER DELETE ON public.tenants DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION replace_change_version();
CREATE TRIGGER replace_change_version_on_truncate AFTER TRUNCATE ON public.tenants FOR EACH STATEMENT EXECUTE FUNCTION replace_change_version();

create table trust_anchors (
  id bigint not null generated always as identity,
  environment text not null,
  fingerprint bytea not null,
  certificate bytea not null,
  document_types text[],
  list_id bigint,
  added_at timestamp with time zone not null default service_now(),
  role text not null default 'issuing'::text,
  entity text,
  constraint trust_anchors_list_id_fkey FOREIGN KEY (list_id) REFERENCES trust_lists(id) ON DELETE CASCADE,
  constraint trust_anchors_pkey PRIMARY KEY (id),
  constraint trust_anchors_environment_list_id_fingerprint_role_key UNIQUE NULLS NOT DISTINCT (environment, list_id, fingerprint, role),
  constraint trust_anchors_entity_check CHECK ((char_length(entity) <= 2500)),
  constraint trust_anchors_environment_check CHECK ((environment = ANY (ARRAY['test'::text, 'live'::text]))),
  constraint trust_anchors_fingerprint_check CHECK ((octet_length(fingerprint) = 32)),
  constraint trust_anchors_role_check CHECK ((role = ANY (ARRAY['issuing'::text, 'revocation'::text, 'list_signing'::text, 'registration'::text])))
);

create table trust_lists (
  id bigint not null generated always as identity,
  environment text not null,
  url text not null,
  due_at timestamp with time zone not null default service_now(),
  fault text,
  token text,
  settings_hash bytea,
  sequence_number bigint,
  issued_at timestamp with time zone,
  next_update timestamp with time zone,
  trusted_until timestamp with time zone,
  refreshed_at timestamp with time zone,
  signed_copy bytea,
  pointers jsonb,
  source_id bigint,
  constraint trust_lists_source_id_fkey FOREIGN KEY (source_id) REFERENCES trust_lists(id) ON DELETE CASCADE,
  constraint trust_lists_pkey PRIMARY KEY (id),
  constraint trust_lists_environment_url_key UNIQUE (environment, url),
  constraint trust_lists_environment_check CHECK ((environment = ANY (ARRAY['test'::text, 'live'::text])))
);

create table trust_version (
  one boolean not null default true,
  version bigint not null,
  constraint trust_version_pkey PRIMARY KEY (one),
  constraint trust_version_one_check CHECK (one)
);

create table type_metadata (
  key bytea not null,
  extends text,
  extends_integrity text,
  used_at timestamp with time zone not null default service_now(),
  constraint type_metadata_pkey PRIMARY KEY (key),
  constraint type_metadata_extends_check CHECK ((char_length(extends) <= 2048)),
  constraint type_metadata_extends_integrity_check CHECK ((char_length(extends_integrity) <= 512)),
  constraint type_metadata_key_check CHECK ((octet_length(key) = 32))
);
CREATE INDEX type_metadata_used_at_idx ON public.type_metadata USING btree (used_at);

create table usage_counts (
  tenant_id uuid not null,
  day date not null,
  environment text not null,
  outcome text not null,
  verifications integer not null,
  constraint usage_counts_pkey PRIMARY KEY (tenant_id, day, environment, outcome),
  constraint usage_counts_environment_check CHECK ((environment = ANY (ARRAY['test'::text, 'live'::text]))),
  constraint usage_counts_verifications_check CHECK ((verifications > 0))
);
CREATE INDEX usage_counts_day ON public.usage_counts USING btree (day);

create table usage_days (
  tenant_id uuid not null,
  day date not null,
  used integer not null,
  constraint usage_days_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES tenants(id),
  constraint usage_days_pkey PRIMARY KEY (tenant_id, day),
  constraint usage_days_used_check CHECK ((used > 0))
);
CREATE INDEX usage_days_day ON public.usage_days USING btree (day);

create table verification_links (
  id text not null,
  tenant_id uuid not null,
  environment text not null,
  code_hash bytea not null,
  sealed_code bytea not null,
  name text not null,
  template text not null,
  purpose text,
  single_use boolean not null,
  daily_limit integer not null,
  redirect_url text,
  metadata jsonb,
  mail_results boolean not null,
  active boolean not null,
  expires_at timestamp with time zone,
  used_at timestamp with time zone,
  created_on date,
  created_count integer not null default 0,
  created_at timestamp with time zone not null,
  use_recorded boolean not null default false,
  constraint verification_links_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES tenants(id) ON DELETE CASCADE,
  constraint verification_links_pkey PRIMARY KEY (id),
  constraint verification_links_code_hash_key UNIQUE (code_hash),
  constraint verification_links_check CHECK (((used_at IS NULL) OR single_use)),
  constraint verification_links_daily_limit_check CHECK ((daily_limit > 0)),
  constraint verification_links_environment_check CHECK ((environment = ANY (ARRAY['test'::text, 'live'::text])))
);
CREATE UNIQUE INDEX verification_links_created_at ON public.verification_links USING btree (tenant_id, created_at);
CREATE INDEX verification_links_ended ON public.verification_links USING btree (LEAST(expires_at, used_at)) WHERE ((expires_at IS NOT NULL) OR (used_at IS NOT NULL));
CREATE INDEX verification_links_key ON public.verification_links USING btree (sealing_key_of(sealed_code));
CREATE INDEX verification_links_unrecorded ON public.verification_links USING btree (id) WHERE ((used_at IS NOT NULL) AND (NOT use_recorded));
CREATE TRIGGER refuse_retired_key BEFORE INSERT OR UPDATE OF sealed_code ON public.verification_links FOR EACH ROW EXECUTE FUNCTION refuse_retired_key('sealed_code');

create table verification_metadata (
  day date not null,
  tenant_id uuid not null,
  hash bigint not null,
  created_at timestamp with time zone not null
) partition by RANGE (day);
CREATE INDEX verification_metadata_hash ON ONLY public.verification_metadata USING btree (tenant_id, hash, created_at DESC);

create view verification_outcomes as
 SELECT s.day,
    s.tenant_id,
    s.environment,
    s.created_at,
    COALESCE(s.template, ''::text) AS template,
    COALESCE(s.device_id, '00000000-0000-0000-0000-000000000000'::uuid) AS device_id,
    outcome_of(shown.status, (s.error ->> 'code'::text)) AS outcome,
        CASE
            WHEN (shown.status = 'failed'::text) THEN COALESCE((s.error ->> 'code'::text), ''::text)
            ELSE ''::text
        END AS error_code,
    ((s.first_fetched_at IS NOT NULL) OR (shown.status = ANY (ARRAY['completed'::text, 'failed'::text]))) AS opened,
    response_bucket(
        CASE
            WHEN (shown.status = ANY (ARRAY['completed'::text, 'failed'::text])) THEN (EXTRACT(epoch FROM (s.responded_at - s.created_at)))::double precision
            ELSE NULL::double precision
        END) AS response_bucket,
        CASE
            WHEN ((s.status <> 'pending'::text) AND (NOT (s.held AND (s.redeemed_at IS NULL)))) THEN s.responded_at
            ELSE redeemable_until(s.expires_at, s.responded_at)
        END AS final_at
   FROM (verification_sessions s
     CROSS JOIN LATERAL ( SELECT shown_status(s.status, (s.held AND (s.redeemed_at IS NULL)), s.expires_at, s.responded_at) AS status) shown);

create table verification_receipts (
  day date not null,
  tenant_id uuid not null,
  environment text not null,
  verification_id text not null,
  salt bytea not null /* no statistics */,
  body text not null /* no statistics */,
  constraint verification_receipts_pkey PRIMARY KEY (day, verification_id)
) partition by RANGE (day);
CREATE INDEX verification_receipts_of_tenant ON ONLY public.verification_receipts USING btree (tenant_id, environment, verification_id);

create table verification_results (
  purge_day date not null,
  verification_id text not null,
  tenant_id uuid not null,
  claims jsonb /* no statistics */,
  credentials jsonb not null /* no statistics */,
  forget_on_delivery boolean not null default false,
  claim_issuers jsonb,
  constraint verification_results_pkey PRIMARY KEY (purge_day, verification_id)
) partition by RANGE (purge_day);

create table verification_sessions (
  day date not null,
  id text not null,
  tenant_id uuid not null,
  environment text not null,
  device_id uuid,
  status text not null default 'pending'::text,
  template text,
  template_version bytea,
  query jsonb /* no statistics */,
  metadata jsonb /* no statistics */,
  purpose text /* no statistics */,
  webhook_url text /* no statistics */,
  redirect_url text /* no statistics */,
  certificate bytea not null,
  seed bytea,
  idempotency_hash bytea,
  error jsonb /* no statistics */,
  response_code_hash bytea,
  redeemed_at timestamp with time zone,
  purge_day date,
  created_at timestamp with time zone not null,
  expires_at timestamp with time zone not null,
  responded_at timestamp with time zone,
  held boolean not null default false,
  fetches integer not null default 0,
  first_fetched_at timestamp with time zone,
  refused_at timestamp with time zone,
  dc_error_at timestamp with time zone,
  unreadable_responses smallint,
  unreadable_at timestamp with time zone,
  transcript_hash bytea,
  channel text,
  cancelled_by text,
  max_attempts smallint,
  attempts smallint,
  attempted_at timestamp with time zone,
  attempt_code text,
  fetched_at timestamp with time zone,
  alternative_url text /* no statistics */,
  same_person boolean,
  compared_at timestamp with time zone,
  warnings text[] /* no statistics */,
  link_id text,
  expected bytea /* no statistics */,
  erasing_day date,
  constraint verification_sessions_pkey PRIMARY KEY (day, id),
  constraint verification_sessions_channel_check CHECK ((channel = 'proximity'::text)),
  constraint verification_sessions_check CHECK (((status = 'pending'::text) = (responded_at IS NULL))),
  constraint verification_sessions_max_attempts_check CHECK (((max_attempts >= 2) AND (max_attempts <= 5))),
  constraint verification_sessions_status_check CHECK ((status = ANY (ARRAY['pending'::text, 'completed'::text, 'failed'::text])))
) partition by RANGE (day);
CREATE INDEX verification_sessions_expires_at_idx ON ONLY public.verification_sessions USING btree (expires_at) WHERE (seed IS NOT NULL);
CREATE INDEX verification_sessions_tenant_id_environment_created_at_idx ON ONLY public.verification_sessions USING btree (tenant_id, environment, created_at DESC);
CREATE INDEX verification_sessions_transcript ON ONLY public.verification_sessions USING btree (transcript_hash) WHERE (transcript_hash IS NOT NULL);
CREATE TRIGGER count_erased_outcome AFTER DELETE ON public.verification_sessions FOR EACH ROW EXECUTE FUNCTION count_erased_outcome();
CREATE TRIGGER forget_forwards AFTER DELETE ON public.verification_sessions FOR EACH ROW WHEN ((old.environment = 'test'::text)) EXECUTE FUNCTION forget_forwards();
CREATE TRIGGER forget_metadata AFTER DELETE ON public.verification_sessions FOR EACH ROW WHEN ((old.metadata IS NOT NULL)) EXECUTE FUNCTION forget_metadata();

create table verifier_infos (
  hash bytea not null,
  body text not null,
  created_at timestamp with time zone not null default service_now(),
  constraint verifier_infos_pkey PRIMARY KEY (hash)
);

create type wallet_response (
  day date,
  id text,
  tenant_id uuid,
  environment text,
  status text,
  error jsonb,
  response_code_hash bytea,
  held boolean,
  keep_days integer,
  claims jsonb,
  claim_issuers jsonb,
  credentials jsonb,
  forget_on_delivery boolean,
  webhook_url text,
  webhook_host text,
  channel text,
  receipt text,
  receipt_salt bytea
);

create table webhook_deliveries (
  verification_day date not null,
  verification_id text not null,
  endpoint_id text not null default ''::text,
  attempt integer not null,
  tenant_id uuid not null,
  environment text not null,
  attempted_at timestamp with time zone not null,
  outcome text not null,
  status smallint,
  duration_ms integer,
  error text,
  event_type text,
  url text,
  constraint webhook_deliveries_pkey PRIMARY KEY (verification_day, verification_id, endpoint_id, attempt),
  constraint webhook_deliveries_error_check CHECK ((char_length(error) <= 100)),
  constraint webhook_deliveries_outcome_check CHECK ((outcome = ANY (ARRAY['delivered'::text, 'failed'::text, 'refused'::text, 'timed_out'::text, 'interrupted'::text, 'unknown'::text])))
) partition by RANGE (verification_day);
CREATE INDEX webhook_deliveries_newest ON ONLY public.webhook_deliveries USING btree (tenant_id, environment, attempted_at DESC);

create table webhook_endpoints (
  id text not null,
  tenant_id uuid not null,
  environment text not null,
  url text not null,
  host text not null,
  events text[] not null,
  description text not null default ''::text,
  enabled boolean not null default true,
  disabled_reason text,
  disabled_at timestamp with time zone,
  failing_since timestamp with time zone,
  last_failed_at timestamp with time zone,
  alerted_at timestamp with time zone,
  sealed bytea not null,
  secret_created_at timestamp with time zone not null default service_now(),
  previous_sealed bytea,
  previous_retires_at timestamp with time zone,
  created_at timestamp with time zone not null default service_now(),
  created_by uuid,
  created_by_key uuid,
  constraint webhook_endpoints_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES tenants(id) ON DELETE CASCADE,
  constraint webhook_endpoints_pkey PRIMARY KEY (id),
  constraint webhook_endpoints_check CHECK ((enabled = (disabled_reason IS NULL))),
  constraint webhook_endpoints_check1 CHECK ((enabled = (disabled_at IS NULL))),
  constraint webhook_endpoints_check2 CHECK (((previous_sealed IS NULL) = (previous_retires_at IS NULL))),
  constraint webhook_endpoints_description_check CHECK ((char_length(description) <= 200)),
  constraint webhook_endpoints_disabled_reason_check CHECK ((disabled_reason = ANY (ARRAY['by_request'::text, 'failing'::text]))),
  constraint webhook_endpoints_environment_check CHECK ((environment = ANY (ARRAY['test'::text, 'live'::text]))),
  constraint webhook_endpoints_events_check CHECK ((cardinality(events) > 0)),
  constraint webhook_endpoints_id_check CHECK (((char_length(id) >= 4) AND (char_length(id) <= 40))),
  constraint webhook_endpoints_url_check CHECK ((char_length(url) <= 2048))
) with (fillfactor=50);
CREATE INDEX webhook_endpoints_alerted ON public.webhook_endpoints USING btree (alerted_at) WHERE (alerted_at IS NOT NULL);
CREATE INDEX webhook_endpoints_failing ON public.webhook_endpoints USING btree (failing_since) WHERE (enabled AND (failing_since IS NOT NULL));
CREATE INDEX webhook_endpoints_key ON public.webhook_endpoints USING btree (sealing_key_of(sealed));
CREATE INDEX webhook_endpoints_owner ON public.webhook_endpoints USING btree (tenant_id, environment);
CREATE INDEX webhook_endpoints_previous_key ON public.webhook_endpoints USING btree (sealing_key_of(previous_sealed)) WHERE (previous_sealed IS NOT NULL);
CREATE TRIGGER refuse_retired_key BEFORE INSERT OR UPDATE OF sealed, previous_sealed ON public.webhook_endpoints FOR EACH ROW EXECUTE FUNCTION refuse_retired_key('sealed', 'previous_sealed');

create table webhook_events (
  verification_id text not null,
  endpoint_id text not null default ''::text,
  kind text not null default 'verification'::text,
  verification_day date,
  tenant_id uuid not null,
  environment text,
  url text not null /* no statistics */,
  host text not null,
  ready boolean not null default true,
  due_at timestamp with time zone not null default service_now(),
  lease uuid,
  attempt integer not null default 0,
  failures integer not null default 0,
  forget_on_delivery boolean not null default false,
  event_type text,
  payload jsonb,
  constraint webhook_events_pkey PRIMARY KEY (verification_id, endpoint_id),
  constraint webhook_events_check CHECK (((lease IS NULL) OR (NOT ready))),
  constraint webhook_events_check1 CHECK (((kind = ANY (ARRAY['alert'::text, 'erasure'::text])) = (payload IS NOT NULL))),
  constraint webhook_events_check2 CHECK (((kind <> 'verification'::text) OR ((verification_day IS NOT NULL) AND (environment IS NOT NULL)))),
  constraint webhook_events_kind_check CHECK ((kind = ANY (ARRAY['verification'::text, 'alert'::text, 'mail'::text, 'usage'::text, 'erasure'::text])))
) with (fillfactor=70, autovacuum_vacuum_scale_factor=0.01, autovacuum_vacuum_threshold=1000);
CREATE INDEX webhook_events_alerts ON public.webhook_events USING btree (tenant_id) WHERE (kind = 'alert'::text);
CREATE INDEX webhook_events_ready ON public.webhook_events USING btree (tenant_id, host, due_at) WHERE ready;
CREATE INDEX webhook_events_waiting ON public.webhook_events USING btree (due_at) WHERE (NOT ready);

create table webhook_forwards (
  verification_day date not null,
  id uuid not null default gen_random_uuid(),
  verification_id text not null,
  tenant_id uuid not null,
  listener_id uuid not null,
  offered_at timestamp with time zone not null default service_now(),
  sent_at timestamp with time zone,
  outcome text,
  status smallint,
  duration_ms integer,
  error text,
  constraint webhook_forwards_pkey PRIMARY KEY (verification_day, id),
  constraint webhook_forwards_error_check CHECK ((char_length(error) <= 100)),
  constraint webhook_forwards_outcome_check CHECK ((outcome = ANY (ARRAY['delivered'::text, 'failed'::text])))
) partition by RANGE (verification_day);
CREATE INDEX webhook_forwards_newest ON ONLY public.webhook_forwards USING btree (tenant_id, sent_at DESC) WHERE (sent_at IS NOT NULL);
CREATE INDEX webhook_forwards_session ON ONLY public.webhook_forwards USING btree (verification_id);
CREATE INDEX webhook_forwards_waiting ON ONLY public.webhook_forwards USING btree (tenant_id, listener_id, offered_at) WHERE (sent_at IS NULL);

create table webhook_listeners (
  tenant_id uuid not null,
  id uuid not null,
  until timestamp with time zone not null,
  constraint webhook_listeners_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES tenants(id),
  constraint webhook_listeners_pkey PRIMARY KEY (tenant_id, id)
);

create table webhook_resends (
  id uuid not null default gen_random_uuid(),
  tenant_id uuid not null,
  environment text not null,
  endpoint_id text,
  since timestamp with time zone not null,
  requested_at timestamp with time zone not null default service_now(),
  reached_at timestamp with time zone not null,
  reached_id text not null default ''::text,
  queued integer not null default 0,
  finished_at timestamp with time zone,
  constraint webhook_resends_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES tenants(id) ON DELETE CASCADE,
  constraint webhook_resends_pkey PRIMARY KEY (id),
  constraint webhook_resends_environment_check CHECK ((environment = ANY (ARRAY['test'::text, 'live'::text])))
);
CREATE INDEX webhook_resends_newest ON public.webhook_resends USING btree (tenant_id, environment, requested_at DESC);
CREATE UNIQUE INDEX webhook_resends_open ON public.webhook_resends USING btree (tenant_id, environment) WHERE (finished_at IS NULL);

create table webhook_responses (
  until_day date not null,
  verification_id text not null,
  endpoint_id text not null,
  attempt integer not null,
  tenant_id uuid not null,
  body text not null,
  constraint webhook_responses_pkey PRIMARY KEY (verification_id, endpoint_id, attempt, until_day),
  constraint webhook_responses_body_check CHECK ((char_length(body) <= 2048))
) partition by RANGE (until_day);

create table webhook_secrets (
  tenant_id uuid not null,
  id bigint not null generated always as identity,
  sealed bytea not null,
  created_at timestamp with time zone not null default service_now(),
  retires_at timestamp with time zone,
  environment text,
  constraint webhook_secrets_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES tenants(id),
  constraint webhook_secrets_pkey PRIMARY KEY (tenant_id, id),
  constraint webhook_secrets_environment_check CHECK ((environment = ANY (ARRAY['test'::text, 'live'::text])))
);
CREATE INDEX webhook_secrets_key ON public.webhook_secrets USING btree (sealing_key_of(sealed));
CREATE TRIGGER refuse_retired_key BEFORE INSERT OR UPDATE OF sealed ON public.webhook_secrets FOR EACH ROW EXECUTE FUNCTION refuse_retired_key('sealed');
CREATE CONSTRAINT TRIGGER replace_change_version AFTER UPDATE ON public.webhook_secrets DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (((to_jsonb(old.*) - '{}'::text[]) IS DISTINCT FROM (to_jsonb(new.*) - '{}'::text[]))) EXECUTE FUNCTION replace_change_version();
CREATE CONSTRAINT TRIGGER replace_change_version_on_others AFTER INSERT OR DELETE ON public.webhook_secrets DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION replace_change_version();
CREATE TRIGGER replace_change_version_on_truncate AFTER TRUNCATE ON public.webhook_secrets FOR EACH STATEMENT EXECUTE FUNCTION replace_change_version();

create table worker_heartbeat (
  is_only boolean not null default true,
  at timestamp with time zone not null,
  constraint worker_heartbeat_pkey PRIMARY KEY (is_only),
  constraint worker_heartbeat_is_only_check CHECK (is_only)
) with (fillfactor=50);

create table worker_loops (
  name text not null,
  interval_seconds double precision not null,
  succeeded_at timestamp with time zone not null,
  constraint worker_loops_pkey PRIMARY KEY (name)
);
