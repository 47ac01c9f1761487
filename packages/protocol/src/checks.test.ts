import { expect, test } from 'vitest'
import { checks, type Check } from './checks.ts'
import { failures } from './failures.ts'

test('[WRES-7] the list of codes of a failed verification is complete', () => {
  expect(Object.keys(failures).toSorted()).toEqual([
    'credential_expired',
    'credential_malformed',
    'credential_revoked',
    'holder_binding_invalid',
    'holder_declined',
    'issuer_untrusted',
    'query_not_satisfied',
    'requirement_not_met',
    'signature_invalid',
    'status_unavailable',
    'wallet_error',
  ])
})

test('[WRES-7] every code results from a check or from the wallet', () => {
  const given = new Set(Object.values<Check>(checks).map(({ code }) => code))
  const walletCodes = ['holder_declined', 'wallet_error'] as const
  expect(Object.keys(failures).filter((code) => !given.has(code as keyof typeof failures))).toEqual(
    walletCodes,
  )
})
