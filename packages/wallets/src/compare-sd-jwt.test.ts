import { createIssuer } from '@vidimus/sandbox'
import { expect, test } from 'vitest'
import { compareSdJwt } from './compare-sd-jwt.ts'

const n = 500

// `COMPARE_N=10000` runs it at full size.
test(`RFC 9901 §7.1: an independent library restores the same claims (N = ${n})`, async () => {
  const issuer = createIssuer({ now: new Date() })
  const comparisons = await compareSdJwt(issuer, Number(process.env['COMPARE_N'] ?? n), 20261115)

  for (const { library, verifier, findings } of comparisons) {
    expect(findings).not.toContain('disclosures')
    expect(verifier).toEqual(library)
  }
}, 600_000)
