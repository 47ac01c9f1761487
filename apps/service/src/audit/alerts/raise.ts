import type { AlertDetails, AlertKind } from '@vidimus/contract'
import type { Db } from '../../engine/db/index.ts'
import { closeAlert, insertAlerts, type AlertKey } from './store.ts'

export type { AlertKey }

/** An alert with the details of its kind. They must contain no claim, no secret and no id of a verification. */
export type RaiseAlert = {
  [Kind in AlertKind]: AlertKey & {
    kind: Kind
    details: AlertDetails[Kind]
    /** May increase while the alert is open. Each stage is announced once. */
    stage?: number
    /** Raise it only once for this subject and stage, even after it was resolved. */
    once?: boolean
  }
}[AlertKind]

/**
 * Raises an alert in the transaction of the change that caused it, so that both are stored or neither is. While an alert of the
 * same kind and subject is open, only a higher stage is announced. Returns whether there is something new to announce.
 */
export async function raiseAlert(tx: Db, { tenant_id, ...alert }: RaiseAlert): Promise<boolean> {
  return (await raiseAlertForTenants(tx, [tenant_id], alert)) === 1
}

/** Raises the same alert for several tenants, in one statement. Returns for how many there is something new to announce. */
export async function raiseAlertForTenants(
  tx: Db,
  tenant_ids: readonly string[],
  { details, stage = 0, once = false, environment, kind, subject }: WithoutTenant<RaiseAlert>,
): Promise<number> {
  return insertAlerts(tx, {
    tenant_ids,
    environment,
    kind,
    subject,
    details: shortenTexts(details),
    stage,
    once,
  })
}

type WithoutTenant<Alert> = Alert extends unknown ? Omit<Alert, 'tenant_id'> : never

/** Resolves an open alert in the transaction of the change that removed its cause. Returns whether one was open. */
export async function resolveAlert(tx: Db, key: AlertKey): Promise<boolean> {
  return closeAlert(tx, key)
}

const maxText_characters = 500

/** Names come from merchants and certificates. They are shortened, so that raising an alert never fails. */
function shortenTexts(details: RaiseAlert['details']): Record<string, string | number> {
  return Object.fromEntries(
    Object.entries(details).map(([name, value]): [string, string | number] => [
      name,
      typeof value === 'string' ? shortenText(value) : value,
    ]),
  )
}

function shortenText(text: string): string {
  return text
    .slice(0, maxText_characters)
    .toWellFormed()
    .replaceAll(/\p{Cc}/gu, ' ')
}
