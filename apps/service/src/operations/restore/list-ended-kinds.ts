import {
  endedInvitations,
  endedKeys,
  endedMembers,
  endedOperatorInvitations,
  endedOperatorPasskeys,
  endedOperatorRoles,
  endedOperators,
  endedOperatorSessions,
  endedOperatorTokens,
  endedPasskeys,
  endedRoles,
  endedSealingKeys,
  endedSessions,
  endedSupport,
} from '../../accounts/index.ts'
import type { Context } from '../../engine/context.ts'
import { endedDevices, endedPairings } from '../../devices/index.ts'
import {
  endedAlertSecrets,
  endedAlertWebhooks,
  endedEndpointSecrets,
  endedEndpoints,
  endedSecrets,
} from '../../deliveries/index.ts'
import {
  endedClientSecrets,
  endedClients,
  endedLinks,
  endedLinkUses,
  endedRedirectUris,
} from '../../holder/index.ts'
import type { EndedRows, StoredEntry } from '../../engine/ledger/index.ts'
import { endedAnchors, endedRegistrations, endedTenantAnchors } from '../../trust/index.ts'
import { erasableVerifications, forgettableResults } from '../../verifications/index.ts'

/** Something that entries may have ended, with those entries; the types of its rows meet in `use`. */
export type EndedKind = {
  use: <Result>(take: <Row>(ended: EndedRows<Row>) => Result) => Result
  entries: readonly StoredEntry[]
}

/** Everything but tenants that these entries may have ended: access first, so that nobody acts meanwhile, and then what takes longer. */
export function listEndedKinds(
  { keyring }: Pick<Context, 'keyring'>,
  entries: readonly StoredEntry[],
): EndedKind[] {
  const all = <Row>(ended: EndedRows<Row>): EndedKind => ({ use: (take) => take(ended), entries })
  return [
    all(endedOperatorTokens),
    all(endedOperatorSessions),
    all(endedOperatorPasskeys),
    all(endedOperatorInvitations),
    all(endedOperators),
    all(endedOperatorRoles),
    all(endedKeys),
    all(endedClients),
    all(endedClientSecrets),
    all(endedRedirectUris),
    all(endedLinks),
    all(endedLinkUses),
    all(endedDevices),
    all(endedPairings),
    all(endedSupport),
    all(endedSessions),
    all(endedPasskeys),
    all(endedInvitations),
    all(endedMembers),
    all(endedRoles),
    all(endedAnchors),
    all(endedTenantAnchors),
    all(endedEndpoints),
    all(endedEndpointSecrets(keyring)),
    all(endedSecrets(keyring)),
    all(endedAlertWebhooks),
    all(endedAlertSecrets(keyring)),
    all(endedRegistrations),
    all(endedSealingKeys),
    ...Array.from(Map.groupBy(entries, ({ day }) => day)).flatMap(([day, ofDay]): EndedKind[] =>
      day === undefined
        ? []
        : [
            { use: (take) => take(forgettableResults(day)), entries: ofDay },
            { use: (take) => take(erasableVerifications(keyring, day)), entries: ofDay },
          ],
    ),
  ]
}
