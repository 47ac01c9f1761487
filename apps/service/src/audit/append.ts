import { type AccessAction, type AuditAction, type Role, accessActions } from '@vidimus/contract'
import {
  type Member,
  type OperatorPrincipal,
  type Principal,
  actorOf as principalName,
} from '../engine/basics/index.ts'
import type { Db } from '../engine/db/index.ts'
import { type RaiseAlert, raiseAlert } from './alerts/raise.ts'
import { type InboxEntry, insertInboxEntry } from './chain/store.ts'

/** A person who runs the program on the server itself. */
export type Operator = { kind: 'operator'; tenant_id: string; name?: string }

/** A wallet that responded. Its holder is deliberately not identified. */
type Wallet = { kind: 'wallet'; tenant_id: string }

/** The person whom a verification asked, who has its code. Deliberately not identified either. */
type Holder = { kind: 'holder'; tenant_id: string }

/** The service itself, in the background. */
type ServiceActor = { kind: 'service'; tenant_id: string }

export type NewAuditEntry = {
  /** A noun and a past participle: `key.created`. */
  action: AuditAction
  by: Principal | Member | Operator | Wallet | Holder | ServiceActor
  /**
   * What the action was done to. It is erased with its subject, so `detail` must still make sense without it. A caller that
   * names a verification holds the lock of its row in the same transaction, so that a concurrent erasure either comes first,
   * and there is nothing to name, or comes later and finds this entry.
   */
  subject?: string | undefined
  purpose?: string | undefined
  /** Facts that may be kept for ever: no claims, no secrets, nothing that identifies a person. */
  detail?: Record<string, unknown> | undefined
}

/**
 * Records a change in its own transaction, so that neither exists without the other (AUD-2). A change that gives lasting access also
 * raises the alert about it.
 */
export async function appendAudit(
  tx: Db,
  { action, by, subject, purpose, detail }: NewAuditEntry,
): Promise<void> {
  const entry = {
    tenant_id: by.tenant_id,
    action,
    actor: toAuditActor(by),
    actor_name: toAuditActorName(by),
    subject: subject ?? null,
    purpose: purpose ?? null,
    detail: detail ?? null,
  }
  await insertInboxEntry(tx, entry)
  const alert = toAccessAlert(entry, by.kind === 'member' ? by.role : undefined)
  if (alert !== undefined) await raiseAlert(tx, alert)
}

/** The actor's kind and id, as recorded in the chain. */
export function toAuditActor(by: NewAuditEntry['by']): string {
  const isNameless =
    by.kind === 'operator' || by.kind === 'wallet' || by.kind === 'holder' || by.kind === 'service'
  return isNameless ? by.kind : principalName(by)
}

/** The name of a device, client or member, and of an operator where it is known; other actors have none. */
export function toAuditActorName(by: NewAuditEntry['by']): string | null {
  if (by.kind === 'operator') return by.name ?? null
  return by.kind === 'device' || by.kind === 'client' || by.kind === 'member' ? by.name : null
}

/**
 * The alert about a change that gives lasting access, from its audit entry and the role of the member who made it. Undefined for
 * other changes, and for those in test.
 */
function toAccessAlert(entry: InboxEntry, role: Role | undefined): RaiseAlert | undefined {
  const { tenant_id, action, actor, actor_name, subject, detail } = entry
  if (!isAccessAction(action) || !givesAccess(entry, role)) return undefined
  const about = findAbout(entry)
  return {
    tenant_id,
    environment: detail?.['environment'] === 'live' ? 'live' : null,
    kind: 'access_changed',
    // Every change is announced, also a second one to the same thing while the first alert is open.
    subject: crypto.randomUUID(),
    details: {
      action,
      actor,
      ...(actor_name !== null && { actor_name }),
      // An invitation's subject is an e-mail address, which stays in the audit log, where it can be erased.
      ...(subject !== null && action !== 'member.invited' && { changed: subject }),
      ...(about !== undefined && { about }),
    },
  }
}

function isAccessAction(action: string): action is AccessAction {
  return (accessActions as readonly string[]).includes(action)
}

function givesAccess({ action, detail }: InboxEntry, role: Role | undefined): boolean {
  // A restore repeats only what took access away.
  if (detail?.['environment'] === 'test' || detail?.['cause'] === 'restore') return false
  switch (action) {
    case 'member.invited':
      return managesMembers(detail?.['role'])
    case 'member.role_changed':
      return managesMembers(detail?.['to'])
    case 'member.passkey_added':
      // The link with which it was added has its own alert.
      return managesMembers(role) && detail?.['with_link'] !== true
    default:
      return true
  }
}

function managesMembers(role: unknown): boolean {
  return role === 'owner' || role === 'admin'
}

/** What tells the changed thing from others: the first characters of a key, a host, a role, a fingerprint. */
function findAbout({ action, subject, detail }: InboxEntry): string | undefined {
  const { prefix, host, client_id, to, added, removed, policy, role } = detail ?? {}
  const known = [prefix, host, client_id, to, [added].flat()[0], [removed].flat()[0], policy, role]
  const isNamedById = action.startsWith('openid_client.') || action.startsWith('webhook_endpoint.')
  return (
    known.find((value) => typeof value === 'string') ?? (isNamedById ? (subject ?? undefined) : undefined)
  )
}

type InstallationAction = (typeof installationActions)[number]
type ServiceAction = (typeof serviceActions)[number]

/**
 * Who does it, and why. Both are texts: they are deleted after 400 days, as the name and the purpose of any entry. The id is missing for
 * who runs a command on the server, and stays.
 */
export type InstallationOperator = { name: string; reason?: string | undefined; operator_id?: string }

/** The same for an operator of the console or of its API. */
export function byOperator({ operator_id, name }: OperatorPrincipal, reason?: string): InstallationOperator {
  return { operator_id, name, reason }
}

/** Records a change in its own transaction. The facts may be kept for ever: no secrets, nothing that identifies a person. */
export type RecordOperation = (tx: Db, detail: Record<string, unknown>) => Promise<void>

/** The id of the chain of what operators do to the whole installation, in the same log as those of the tenants. No tenant has it. */
export const installationChain = 'ffffffff-ffff-ffff-ffff-ffffffffffff'

/** Every action of operators that the installation's chain can contain, besides `audit.restored`. docs/reference/audit.md explains each one. */
export const installationActions = [
  'installation.audit_key_rotated',
  'installation.identity_changed',
  'installation.keyring_changed',
  'installation.operator_added',
  'installation.operator_invited',
  'installation.operator_joined',
  'installation.operator_passkey_added',
  'installation.operator_passkey_removed',
  'installation.operator_removed',
  'installation.operator_role_changed',
  'installation.operator_sign_in_failed',
  'installation.operator_signed_in',
  'installation.operator_signed_out',
  'installation.operator_token_created',
  'installation.operator_token_revoked',
  'installation.owner_invited',
  'installation.plan_changed',
  'installation.restored',
  'installation.sandbox_rotated',
  'installation.support_taken',
  'installation.support_viewed',
  'installation.tenant_approval_changed',
  'installation.tenant_created',
  'installation.tenant_deleted',
  'installation.tenant_deletion_planned',
  'installation.tenant_deletion_withdrawn',
  'installation.tenant_moved',
  'installation.tenant_plan_changed',
  'installation.tenant_quota_changed',
  'installation.tenant_state_changed',
  'installation.trust_changed',
  'installation.webhook_secret_rotated',
] as const

/** What the service itself records there. */
export const serviceActions = [
  'installation.sign_up_requested',
  'installation.support_ended',
  'installation.support_granted',
  'installation.tenant_signed_up',
] as const

/** The same for what nobody but the service did. */
export function recordsAsService(action: ServiceAction): RecordOperation {
  return (tx, detail) =>
    insertInboxEntry(tx, {
      tenant_id: installationChain,
      action,
      actor: 'service',
      actor_name: null,
      subject: null,
      purpose: null,
      detail,
    })
}

export function recordsAs(
  action: InstallationAction | ServiceAction,
  by: InstallationOperator,
): RecordOperation {
  return (tx, detail) =>
    insertInboxEntry(tx, {
      tenant_id: installationChain,
      action,
      actor: by.operator_id === undefined ? 'operator' : `operator:${by.operator_id}`,
      actor_name: by.name,
      subject: aboutOf(detail),
      purpose: by.reason ?? null,
      detail,
    })
}

/** The tenant or the operator that an entry is about, by which it is found. */
function aboutOf({ tenant_id, operator_id }: Record<string, unknown>): string | null {
  const about = tenant_id ?? operator_id
  return typeof about === 'string' ? about : null
}

/** The stored log does not match its signature. Nothing more is signed until a person has investigated. */
export class AuditTamperedError extends Error {
  override name = 'AuditTamperedError'
}
