import { revocableKeys } from '../../accounts/api-keys/revocable.ts'
import type { Context } from '../../context.ts'
import { revocableDevices, revocablePairings } from '../../devices/revocable.ts'
import {
  revocableInvitations,
  revocableMembers,
  revocablePasskeys,
  revocableRoles,
  revocableSessions,
} from '../../accounts/members/revocable.ts'
import {
  revocableAlertSecrets,
  revocableAlertWebhooks,
} from '../../deliveries/notifications/webhook/revocable.ts'
import {
  revocableClients,
  revocableClientSecrets,
  revocableRedirectUris,
} from '../../holder/openid-provider/clients/revocable.ts'
import type { StoredEntry } from '../../engine/ledger/ledger.ts'
import type { Revocable } from '../../engine/ledger/revocable.ts'
import { revocableRegistrations } from '../../trust/registrations/revocable.ts'
import { revocableAnchors, revocableTenantAnchors } from '../../trust/revocable.ts'
import { erasableSessions, forgettableResults } from '../../verifications/retention/revocable.ts'
import {
  revocableEndpoints,
  revocableEndpointSecrets,
  revocableSecrets,
} from '../../deliveries/webhooks/revocable.ts'

/** Something that entries may have ended, with those entries; the types of its rows meet in `use`. */
export type EndedKind = {
  use: <Result>(take: <Row>(revocable: Revocable<Row>) => Result) => Result
  entries: readonly StoredEntry[]
}

/** Everything but tenants that these entries may have ended: access first, so that nobody acts meanwhile, and then what takes longer. */
export function listEndedKinds(
  { keyring }: Pick<Context, 'keyring'>,
  entries: readonly StoredEntry[],
): EndedKind[] {
  const all = <Row>(revocable: Revocable<Row>): EndedKind => ({ use: (take) => take(revocable), entries })
  return [
    all(revocableKeys),
    all(revocableClients),
    all(revocableClientSecrets),
    all(revocableRedirectUris),
    all(revocableDevices),
    all(revocablePairings),
    all(revocableSessions),
    all(revocablePasskeys),
    all(revocableInvitations),
    all(revocableMembers),
    all(revocableRoles),
    all(revocableAnchors),
    all(revocableTenantAnchors),
    all(revocableEndpoints),
    all(revocableEndpointSecrets(keyring)),
    all(revocableSecrets(keyring)),
    all(revocableAlertWebhooks),
    all(revocableAlertSecrets(keyring)),
    all(revocableRegistrations),
    ...Array.from(Map.groupBy(entries, ({ day }) => day)).flatMap(([day, ofDay]): EndedKind[] =>
      day === undefined
        ? []
        : [
            { use: (take) => take(forgettableResults(day)), entries: ofDay },
            { use: (take) => take(erasableSessions(keyring, day)), entries: ofDay },
          ],
    ),
  ]
}
