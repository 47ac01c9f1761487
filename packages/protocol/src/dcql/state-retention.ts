import { isObject } from '../json.ts'
import type { AnyQuery } from './query.ts'

/**
 * The query as a wallet is sent it: with what happens to each element of an mdoc after the transaction (ISO/IEC 18013-5 §8.3.2.1.2.1).
 * Wallets show it to the holder, so it comes from what is done, not from what a template says. A merchant's own statement that it
 * keeps an element stays.
 */
export function stateRetention(query: AnyQuery, retains: boolean): AnyQuery {
  return {
    ...query,
    credentials: query.credentials.map((credential) =>
      credential['format'] === 'mso_mdoc' && Array.isArray(credential['claims'])
        ? { ...credential, claims: credential['claims'].map((claim) => state(claim, retains)) }
        : credential,
    ),
  }
}

function state(claim: unknown, retains: boolean): unknown {
  if (!isObject(claim)) return claim
  return { ...claim, intent_to_retain: retains || claim['intent_to_retain'] === true }
}
