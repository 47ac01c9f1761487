import { accessActions, type AccessAction, type Role } from '@vidimus/contract'
import type { RaiseAlert } from './alerts/raise.ts'
import type { InboxEntry } from './chain/store.ts'

/**
 * The alert about a change that gives lasting access, from its audit entry and the role of the member who made it. Undefined for
 * other changes, and for those in test.
 */
export function toAccessAlert(entry: InboxEntry, role: Role | undefined): RaiseAlert | undefined {
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
