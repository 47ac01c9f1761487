import { isEqual, isObject } from '../json.ts'
import { listDerivationSources } from '../template/check-derivation-sources.ts'
import type { TemplateRules } from '../template/template.ts'
import type { AnyQuery } from './query.ts'

/**
 * The query as a wallet is sent it: with what happens to each element of an mdoc after the transaction (ISO/IEC 18013-5 §8.3.2.1.2.1).
 * Wallets show it to the holder, so it comes from what is done, not from what a template says. A merchant's own statement that it
 * keeps an element stays, except for what a claim is derived from: that is dropped, and the merchant never gets it (TPL-6).
 */
export function stateRetention(query: AnyQuery, rules: TemplateRules, retains: boolean): AnyQuery {
  const dropped = listDerivationSources(rules)
  const state = (id: unknown, claim: unknown): unknown => {
    if (!isObject(claim)) return claim
    const isDropped = dropped.some(
      ({ credential, path }) => credential === id && isEqual(path, claim['path']),
    )
    return { ...claim, intent_to_retain: !isDropped && (retains || claim['intent_to_retain'] === true) }
  }
  return {
    ...query,
    credentials: query.credentials.map((credential) =>
      credential['format'] === 'mso_mdoc' && Array.isArray(credential['claims'])
        ? { ...credential, claims: credential['claims'].map((claim) => state(credential['id'], claim)) }
        : credential,
    ),
  }
}
