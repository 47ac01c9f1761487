import {
  revocableInvitations,
  revocableKeys,
  revocableMembers,
  revocablePasskeys,
  revocableRoles,
  revocableSessions,
} from '../../accounts/index.ts'
import type { Context } from '../../engine/context.ts'
import { revocableDevices, revocablePairings } from '../../devices/index.ts'
import {
  revocableAlertSecrets,
  revocableAlertWebhooks,
  revocableEndpointSecrets,
  revocableEndpoints,
  revocableSecrets,
} from '../../deliveries/index.ts'
import { revocableClientSecrets, revocableClients, revocableRedirectUris } from '../../holder/index.ts'
import type { Revocable, StoredEntry } from '../../engine/ledger/index.ts'
import { revocableAnchors, revocableRegistrations, revocableTenantAnchors } from '../../trust/index.ts'
import { erasableSessions, forgettableResults } from '../../verifications/index.ts'

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
