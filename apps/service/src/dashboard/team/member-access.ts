import {
  accessKinds,
  mayHold,
  type AccessDecisions,
  type AccessItem,
  type AccessKind,
  type Role,
} from '@vidimus/contract'
import { type AccessChange, type MadeAccess, findRole, madeKeys } from '../../accounts/index.ts'
import { type Operator, appendAudit } from '../../audit/index.ts'
import type { Context } from '../../engine/context.ts'
import { madeDevices } from '../../devices/index.ts'
import { madeAlertWebhooks, madeEndpoints } from '../../deliveries/index.ts'
import { madeClients } from '../../holder/index.ts'
import type { Db } from '../../engine/db/index.ts'
import type { LedgerEntry } from '../../engine/ledger/index.ts'
import { type Member, notFound } from '../../engine/basics/index.ts'
import { madeAnchors, madeIdentities } from '../../trust/index.ts'

/** API keys come first: ending a key waits for what it is creating, which is then found among the later kinds. */
const madeAccess = {
  api_key: madeKeys,
  device: madeDevices,
  openid_client: madeClients,
  webhook_endpoint: madeEndpoints,
  alert_webhook: madeAlertWebhooks,
  trust_anchor: madeAnchors,
  access_certificate: madeIdentities,
} as const satisfies Record<AccessKind, MadeAccess>

/** The most objects that a list shows. Removing a member or changing their role affects all of their objects, also those beyond it. */
export const maxListedAccess = 1000

export type MemberToList = { tenant_id: string; member_id: string; role?: Role | undefined }

/** What a member made and could not make with the given role. Without a role, as for a removal, everything they made. */
export async function listMemberAccess(
  { db }: Pick<Context, 'db'>,
  { tenant_id, member_id, role }: MemberToList,
): Promise<AccessItem[]> {
  if ((await findRole(db, { tenant_id, id: member_id })) === undefined) throw notFound('member_not_found')
  const items: AccessItem[] = []
  for (const kind of kinds()) items.push(...(await listKind(db, kind, { tenant_id, member_id, role })))
  return items.slice(0, maxListedAccess)
}

export type EndOrTakeOver = AccessChange & {
  by: Member | Operator
  member: Member
  /** The new role; absent if the member is removed. */
  role?: Role
  decisions: AccessDecisions
}

export type ChangedAccess = { ended: AccessItem[]; taken_over: AccessItem[]; entries: LedgerEntry[] }

/**
 * Ends what a member made and may not keep, or makes the acting member responsible for it, as decided for each kind. Nobody takes over a
 * credential that they could not have made, or one of their own. The caller records `entries` in the ledger as the last step of its transaction.
 */
export async function endOrTakeOver(
  tx: Db,
  { by, cause, member, role, decisions }: EndOrTakeOver,
): Promise<ChangedAccess> {
  const { tenant_id, member_id } = member
  const isSelf = by.kind === 'member' && by.member_id === member_id
  const changed: ChangedAccess = { ended: [], taken_over: [], entries: [] }
  for (const kind of kinds()) {
    for (const item of await listKind(tx, kind, { tenant_id, member_id, role })) {
      const mayTakeOver = !isSelf && (by.kind === 'operator' || mayHold(by.role, item))
      if (decisions[kind] === 'end' || (accessKinds[kind].type === 'credential' && !mayTakeOver)) {
        changed.entries.push(...(await madeAccess[kind].end(tx, item, { by, cause })))
        changed.ended.push(item)
      } else if (mayTakeOver) {
        const maker = { tenant_id, member_id: by.kind === 'member' ? by.member_id : null }
        await madeAccess[kind].setMaker(tx, item, maker)
        const detail = { kind, ...(item.environment && { environment: item.environment }), cause }
        await appendAudit(tx, { action: 'access.taken_over', by, subject: item.id, detail })
        changed.taken_over.push(item)
      }
    }
  }
  return changed
}

async function listKind(db: Db, kind: AccessKind, { role, ...maker }: MemberToList): Promise<AccessItem[]> {
  const items = await madeAccess[kind].list(db, maker)
  return items.map((item) => ({ ...item, kind })).filter((item) => role === undefined || !mayHold(role, item))
}

function kinds(): AccessKind[] {
  return Object.keys(madeAccess) as AccessKind[] // the keys of the table
}
