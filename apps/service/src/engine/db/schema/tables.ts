/**
 * What the service has to know about a table beyond its columns. Triggers, partitions, retention, re-encryption, the copy of a
 * tenant that moves, and the checks of erasure, restore and isolation follow from it.
 */
export type Table = {
  /** Whose rows they are. A tenant's have the column `tenant_id`. */
  of: 'tenant' | 'installation'
  /** Cut into a partition for each UTC day. */
  daily?: {
    /** Partitions are created this many days ahead; for results, as many as tenants keep them. */
    days_ahead?: number
    /** A day is dropped when it is this many days past, or as many as a setting says. Missing: the audit log has its own rules. */
    keep_days?: number | 'VERIFICATION_RETENTION_DAYS' | 'DELIVERY_RETENTION_DAYS'
  }
  /** Columns with sealed values, and what they are sealed for. They are sealed again when the key ring is rotated or the tenant moves. */
  sealed?: Readonly<Record<string, string>>
  /** Every other column of bytes, and what it has. A keyed hash depends on the cell, unless its key is carried to the next one. */
  bytes?: Readonly<
    Record<
      string,
      | 'hash'
      | 'keyed hash'
      | 'carried hash'
      | 'under the seed'
      | 'public'
      | 'wrapped key'
      | 'secret of the log'
    >
  >
  /** Processes keep copies of its rows: a change replaces the version of all copies. */
  cached?: {
    /** Columns that no copy has and that change often. */
    except?: readonly string[]
    /** Also when a row is inserted: a copy may say that there is none. */
    inserts?: true
    /** Rows whose changes matter; all if missing. */
    only?: string
  }
  /**
   * What becomes of it when a tenant moves to another cell. Missing: a tenant's rows are copied, those of the installation stay.
   * `named`: rows that the tenant's rows name are copied. `stays`: why rows of a tenant are left behind.
   */
  move?: 'named' | { stays: string } | { changes: readonly string[] }
  /** What an erasure does with the rows about the verification. */
  erasure?: 'deletes' | { clears: string }
  /** Endings of its rows that a restored database must repeat. */
  endings?: readonly string[]
}

export const tables = {
  access_certificates: {
    of: 'tenant',
    sealed: { sealed_key: 'access certificate' },
    bytes: { hash: 'hash' },
  },
  alert_choices: { of: 'tenant' },
  alert_events: { of: 'tenant' },
  alert_rates: { of: 'tenant' },
  alert_webhooks: {
    of: 'tenant',
    sealed: { sealed: 'alert webhook secret', previous_sealed: 'alert webhook secret' },
    endings: ['webhook_endpoint', 'webhook_secret'],
  },
  alerts: { of: 'tenant' },
  api_keys: {
    of: 'tenant',
    bytes: { hash: 'hash' },
    cached: { except: ['last_used_at'] },
    endings: ['api_key'],
  },
  audit_chains: {
    of: 'tenant',
    bytes: { link: 'hash', signed_link: 'hash' },
    move: { changes: ['signed_seq', 'signed_link'] },
  },
  audit_entries: {
    of: 'tenant',
    daily: { days_ahead: 7 },
    bytes: { link: 'hash', actor_name: 'hash', purpose: 'hash', subject: 'hash' },
  },
  audit_handovers: { of: 'installation' },
  audit_heads: {
    of: 'tenant',
    daily: { days_ahead: 7 },
    bytes: { link: 'hash' },
    move: { stays: "part of the old cell's signed log" },
  },
  audit_inbox: {
    of: 'tenant',
    move: { stays: 'empty: everything is chained before the copy' },
    erasure: { clears: 'subject' },
  },
  audit_log: { of: 'installation', sealed: { sealed_key: 'audit signing key' } },
  audit_nodes: { of: 'installation', bytes: { hash: 'hash' } },
  audit_texts: {
    of: 'tenant',
    daily: { days_ahead: 7 },
    bytes: { secret: 'secret of the log' },
    erasure: 'deletes',
  },
  audit_leaves: { of: 'installation', bytes: { heads_root: 'hash', new_heads_root: 'hash' } },
  change_version: { of: 'installation' },
  daily_tables: { of: 'installation' },
  devices: {
    of: 'tenant',
    bytes: { pairing_hash: 'keyed hash', pin_hash: 'hash' },
    cached: {
      except: [
        'pairing_hash',
        'pairing_expires_at',
        'generation',
        'last_seen_at',
        'accepts_later_generation',
      ],
      only: "old.status = 'active'",
    },
    move: { changes: ['pairing_hash'] },
    endings: ['device', 'device_pairing'],
  },
  ecosystem_identities: {
    of: 'tenant',
    bytes: { certificate: 'hash', rp_metadata: 'public' },
    cached: { except: ['created_by'], inserts: true },
  },
  erased_outcomes: { of: 'tenant' },
  erasure_ledgers: { of: 'installation' },
  erasure_marks: { of: 'installation' },
  erasure_requests: { of: 'tenant', bytes: { reference_hash: 'hash' }, erasure: 'deletes' },
  failing_webhook_hosts: { of: 'tenant' },
  idempotency_keys: {
    of: 'installation',
    daily: { days_ahead: 7, keep_days: 2 },
    bytes: { key_hash: 'carried hash', body_hash: 'hash' },
    move: 'named',
    erasure: { clears: 'verification_id' },
  },
  keyring: { of: 'installation', bytes: { wrapped: 'wrapped key' }, move: 'named' },
  link_results: { of: 'tenant', erasure: 'deletes' },
  mail_room: { of: 'installation' },
  mails: { of: 'tenant', sealed: { sealed: 'mail' } },
  member_invitations: { of: 'tenant', bytes: { token_hash: 'hash' }, endings: ['invitation'] },
  member_passkeys: { of: 'tenant', bytes: { public_key: 'public' }, endings: ['passkey'] },
  member_return_links: { of: 'tenant' },
  member_sessions: { of: 'tenant', bytes: { token_hash: 'hash' }, endings: ['member_session'] },
  members: { of: 'tenant', cached: { except: ['last_seen_at'] }, endings: ['member', 'member_role'] },
  metadata_marks: { of: 'tenant' },
  moved_routes: { of: 'installation' },
  openid_authorizations: {
    of: 'tenant',
    bytes: { browser_hash: 'keyed hash', request_hash: 'keyed hash' },
    move: { stays: 'sign-ins in progress: their codes and tokens are hashes of the old cell' },
    erasure: 'deletes',
  },
  openid_client_secrets: { of: 'tenant', bytes: { hash: 'hash' }, endings: ['openid_client_secret'] },
  openid_clients: { of: 'tenant', endings: ['openid_client', 'openid_redirect_uri'] },
  openid_issuers: { of: 'tenant', sealed: { sealed: 'openid subject key' } },
  openid_keys: { of: 'tenant', sealed: { sealed: 'openid signing key' } },
  operator_passkeys: { of: 'installation', bytes: { public_key: 'public' }, endings: ['operator_passkey'] },
  operator_sessions: { of: 'installation', bytes: { token_hash: 'hash' }, endings: ['operator_session'] },
  operator_tokens: { of: 'installation', bytes: { hash: 'hash' }, endings: ['operator_token'] },
  operators: {
    of: 'installation',
    bytes: { invitation_hash: 'hash' },
    endings: ['operator', 'operator_role', 'operator_invitation'],
  },
  outcome_counts: { of: 'tenant' },
  outcome_marks: { of: 'tenant' },
  outcome_parts: { of: 'tenant' },
  outcome_progress: { of: 'installation' },
  pairing_guesses: { of: 'installation' },
  plans: { of: 'installation', move: 'named' },
  registration_settings: { of: 'tenant', cached: { inserts: true } },
  registrations: {
    of: 'tenant',
    bytes: { fingerprint: 'hash', info_base64url: 'hash', info_jwt: 'hash' },
    cached: { except: ['findings', 'checked_at', 'check_due_at'], inserts: true },
    endings: ['registration'],
  },
  request_log: {
    of: 'tenant',
    daily: { days_ahead: 7, keep_days: 8 },
    bytes: { verification_hash: 'keyed hash' },
    move: { changes: ['verification_hash'] },
    erasure: { clears: 'verification_hash' },
  },
  request_log_off: { of: 'tenant' },
  revocation_lists: {
    of: 'installation',
    bytes: { issuer: 'hash', issuer_certificate: 'public', token: 'public' },
  },
  sandbox_issuer: { of: 'installation', sealed: { sealed: 'sandbox issuer' } },
  schema_definitions: { of: 'installation' },
  schema_migrations: { of: 'installation' },
  sign_in_room: { of: 'installation' },
  sealing_keys: {
    of: 'tenant',
    bytes: { challenge_hash: 'hash' },
    cached: { inserts: true },
    endings: ['sealing_key'],
  },
  sign_ups: { of: 'installation', bytes: { token_hash: 'hash' } },
  spent_challenges: { of: 'installation', bytes: { hash: 'hash' } },
  support_access: { of: 'tenant', endings: ['support_access'] },
  template_registrations: { of: 'tenant', cached: { inserts: true } },
  template_versions: { of: 'installation', bytes: { hash: 'hash' }, move: 'named' },
  templates: { of: 'tenant', bytes: { version: 'hash' }, cached: {} },
  tenant_anchors: {
    of: 'tenant',
    bytes: { fingerprint: 'hash', certificate: 'public' },
    endings: ['anchor'],
  },
  tenant_identities: {
    of: 'tenant',
    bytes: { certificate: 'hash' },
    cached: { except: ['updated_at'], inserts: true },
  },
  tenant_moves: { of: 'installation' },
  tenant_trust: { of: 'tenant', cached: { inserts: true } },
  tenant_usage: { of: 'tenant' },
  tenants: { of: 'tenant', cached: {}, move: { changes: ['hashing_cell'] }, endings: ['tenant'] },
  trust_anchors: {
    of: 'installation',
    bytes: { fingerprint: 'hash', certificate: 'public' },
    endings: ['anchor'],
  },
  trust_lists: { of: 'installation', bytes: { settings_hash: 'hash', signed_copy: 'public' } },
  trust_version: { of: 'installation' },
  type_metadata: { of: 'installation', bytes: { key: 'hash' } },
  usage_counts: { of: 'tenant' },
  usage_days: { of: 'tenant' },
  verification_links: {
    of: 'tenant',
    sealed: { sealed_code: 'link code' },
    bytes: { code_hash: 'hash' },
    endings: ['verification_link', 'verification_link_use'],
  },
  verification_metadata: {
    of: 'tenant',
    daily: { days_ahead: 7, keep_days: 'VERIFICATION_RETENTION_DAYS' },
    erasure: 'deletes',
  },
  verification_receipts: {
    of: 'tenant',
    daily: { days_ahead: 7, keep_days: 'VERIFICATION_RETENTION_DAYS' },
    bytes: { salt: 'public' },
    erasure: 'deletes',
  },
  verification_results: { of: 'tenant', daily: { keep_days: 0 }, erasure: 'deletes', endings: ['result'] },
  verification_sessions: {
    of: 'tenant',
    daily: { days_ahead: 7, keep_days: 'VERIFICATION_RETENTION_DAYS' },
    bytes: {
      template_version: 'hash',
      certificate: 'hash',
      seed: 'keyed hash',
      expected: 'under the seed',
      idempotency_hash: 'carried hash',
      response_code_hash: 'hash',
      transcript_hash: 'hash',
    },
    move: { changes: ['seed'] },
    erasure: 'deletes',
    endings: ['verification'],
  },
  verifier_infos: { of: 'installation', bytes: { hash: 'hash' }, move: 'named' },
  webhook_deliveries: {
    of: 'tenant',
    daily: { days_ahead: 7, keep_days: 'DELIVERY_RETENTION_DAYS' },
    erasure: 'deletes',
  },
  webhook_endpoints: {
    of: 'tenant',
    sealed: { sealed: 'webhook secret', previous_sealed: 'webhook secret' },
    endings: ['webhook_endpoint', 'webhook_secret'],
  },
  webhook_events: { of: 'tenant', erasure: 'deletes' },
  webhook_forwards: { of: 'tenant', daily: { days_ahead: 7, keep_days: 30 }, erasure: 'deletes' },
  webhook_listeners: { of: 'tenant', move: { stays: 'connections to processes of the old cell' } },
  webhook_resends: { of: 'tenant' },
  webhook_responses: { of: 'tenant', daily: { days_ahead: 39, keep_days: 0 }, erasure: 'deletes' },
  webhook_secrets: {
    of: 'tenant',
    sealed: { sealed: 'webhook secret' },
    cached: { inserts: true },
    endings: ['webhook_secret'],
  },
  worker_heartbeat: { of: 'installation' },
  worker_loops: { of: 'installation' },
} as const satisfies Readonly<Record<string, Table>>

type Endings<Declared> = Declared extends { endings: readonly (infer Kind)[] } ? Kind : never

/** What an entry of the erasure ledger ends. A kind never changes its meaning: entries are applied up to 400 days later. */
export type LedgerKind = Endings<(typeof tables)[keyof typeof tables]>

/** Every table with its declaration. */
export const declaredTables: readonly (Table & { name: string })[] = Object.entries(tables).map(
  ([name, table]) => ({ name, ...table }),
)

/** The SQL that follows from a declaration. Empty if nothing does. */
export function describeTable({ name, daily, sealed, cached }: Table & { name: string }): string {
  return [
    ...(daily?.days_ahead === undefined ? [] : [registerDaily(name, daily.days_ahead)]),
    ...(sealed === undefined ? [] : [refuseRetiredKeys(name, Object.keys(sealed))]),
    ...(cached === undefined ? [] : replaceVersion(name, cached)),
  ].join('\n')
}

function registerDaily(name: string, days: number): string {
  return `insert into daily_tables (name, days_ahead) values ('${name}', ${days})
  on conflict (name) do update set days_ahead = excluded.days_ahead;`
}

function refuseRetiredKeys(name: string, columns: readonly string[]): string {
  const values = columns.map((column) => `'${column}'`).join(', ')
  return `create or replace trigger refuse_retired_key before insert or update of ${columns.join(', ')} on ${name}
  for each row execute function refuse_retired_key(${values});`
}

/** Constraint triggers, because only those wait for the end of the transaction. They cannot be replaced in place. */
function replaceVersion(
  name: string,
  { except = [], inserts, only }: Exclude<Table['cached'], undefined>,
): string[] {
  const [before, after] = ['old', 'new'].map((row) => `to_jsonb(${row}) - '{${except.join(',')}}'::text[]`)
  const changed = `${before} is distinct from ${after}`
  const deferred = (trigger: string, event: string, when = '') =>
    `drop trigger if exists ${trigger} on ${name};
create constraint trigger ${trigger} after ${event} on ${name}
  deferrable initially deferred for each row ${when}execute function replace_change_version();`
  return [
    deferred(
      'replace_change_version',
      'update',
      `when (${only === undefined ? '' : `${only} and `}${changed}) `,
    ),
    deferred('replace_change_version_on_others', inserts ? 'insert or delete' : 'delete'),
    `create or replace trigger replace_change_version_on_truncate after truncate on ${name}
  for each statement execute function replace_change_version();`,
  ]
}
