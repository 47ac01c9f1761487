import type { AuditEntry, AuditList } from '@vidimus/contract'
import { nameKeys, nameMembers } from '../accounts/index.ts'
import { type ListAudit, listAudit } from '../audit/index.ts'
import type { Context } from '../engine/context.ts'
import { nameDevices } from '../devices/index.ts'
import { nameClients } from '../holder/index.ts'

const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/
type Kind = 'key' | 'device' | 'member'

/**
 * A page of the audit chain in which keys, devices, members and OpenID clients have their names. The chain records the names of members,
 * devices and clients that acted; the others are looked up, so that what was removed since keeps its id. A client that exists also has
 * its environment, in which the dashboard shows it.
 */
export async function listNamedAudit(ctx: Pick<Context, 'db'>, filter: ListAudit): Promise<AuditList> {
  const list = await listAudit(ctx, filter)
  const subjects = (kind: Kind) => list.data.flatMap((entry) => subjectOfKind(entry, kind) ?? [])
  const keysThatActed = list.data.flatMap((entry) => keyThatActed(entry) ?? [])
  const [keys, devices, members, clients] = await Promise.all([
    nameKeys(ctx, filter.tenant_id, [...new Set([...subjects('key'), ...keysThatActed])]),
    nameDevices(ctx, filter.tenant_id, [...new Set(subjects('device'))]),
    nameMembers(ctx, filter.tenant_id, [...new Set(subjects('member'))]),
    nameClients(ctx, filter.tenant_id, [...new Set(list.data.flatMap((entry) => readClientId(entry) ?? []))]),
  ])
  const names = new Map([...keys, ...devices, ...members])
  const addNames = (entry: AuditEntry): AuditEntry => {
    const actor_name = entry.actor_name ?? names.get(keyThatActed(entry) ?? '')
    const client = clients.get(readClientId(entry) ?? '')
    const subject_name = client?.id === entry.subject ? client?.name : names.get(entry.subject ?? '')
    return {
      ...entry,
      ...(actor_name !== undefined && { actor_name }),
      ...(subject_name !== undefined && { subject_name }),
      ...(client !== undefined && { client: { id: client.id, environment: client.environment } }),
    }
  }
  return { ...list, data: list.data.map(addNames) }
}

function keyThatActed({ actor }: AuditEntry): string | undefined {
  const [kind, id = ''] = actor.split(':')
  return kind === 'key' && uuid.test(id) ? id : undefined
}

/** The OpenID client that acted, or that a member or operator changed. */
function readClientId({ actor, action, subject }: AuditEntry): string | undefined {
  const [kind, id] = actor.split(':')
  return kind === 'client' ? id : action.startsWith('openid_client.') ? subject : undefined
}

/** The id of what an action was done to, if it is of that kind: the subject of `key.created` is a key. */
function subjectOfKind({ action, subject }: AuditEntry, kind: Kind): string | undefined {
  return action.startsWith(`${kind}.`) && subject !== undefined && uuid.test(subject) ? subject : undefined
}
