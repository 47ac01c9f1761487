import { createIssuer } from '@vidimus/sandbox'
import { expect, test } from 'vitest'
import { compareSdJwt } from './compare-sd-jwt.ts'

const n = 500

// Set `COMPARE_N=10000` for a full-size run.
test(`RFC 9901 §7.1: an independent library reconstructs the same claims (N = ${n})`, async () => {
  const issuer = createIssuer({ now: new Date() })
  const comparisons = await compareSdJwt(issuer, Number(process.env['COMPARE_N'] ?? n), 20261115)

  for (const { library, verifier, findings } of comparisons) {
    expect(findings).not.toContain('disclosures')
    expect(verifier).toEqual(library)
  }
}, 600_000)
