import { isDeepStrictEqual } from 'node:util'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import fc from 'fast-check'
import type { Outcome } from '../../src/presentation.ts'

export type MutationReport = {
  tried: number
  refused: number
  /** Accepted with the signed claims: the mutation did not touch signed data. */
  accepted_unchanged: number
  /** By error code, or `malformed` for what does not belong to the verification. */
  codes: Record<string, number>
  cpu_ms: { average: number; most: number }
  /** Live memory after a garbage collection. */
  alive_mib: { start: number; half: number; end: number }
}

/** A mutated response, and the outcome that it may have if it is accepted; undefined if it must be refused. */
type MutatedResponse<Response> = { response: Response; unchanged: Outcome | undefined }

type MutationRun<Mutation, Response> = {
  mutations: fc.Arbitrary<Mutation>
  mutate: (mutation: Mutation) => Promise<MutatedResponse<Response>>
  verify: (response: Response) => Promise<Outcome | 'malformed'>
}

const batchSize = 5_000

setFlagsFromString('--expose-gc')
const collectGarbage: () => void = runInNewContext('gc')

/**
 * Verifies `n` mutated responses. Throws at the first one that makes the verifier throw or is accepted with another outcome than
 * it may have; fast-check then finds the smallest such mutation.
 */
export async function reportMutations<Mutation, Response>(
  n: number,
  { mutations, mutate, verify }: MutationRun<Mutation, Response>,
): Promise<MutationReport> {
  const report: MutationReport = {
    tried: 0,
    refused: 0,
    accepted_unchanged: 0,
    codes: {},
    cpu_ms: { average: 0, most: 0 },
    alive_mib: { start: measureLiveMib(), half: 0, end: 0 },
  }
  let cpu_ms = 0
  const property = fc.asyncProperty(mutations, async (mutation) => {
    const { response, unchanged } = await mutate(mutation)
    const startedAt = process.cpuUsage()
    const outcome = await verify(response)
    const { user, system } = process.cpuUsage(startedAt)
    const spent_ms = (user + system) / 1000
    cpu_ms += spent_ms
    report.tried += 1
    if (report.tried === Math.floor(n / 2)) report.alive_mib.half = measureLiveMib()
    report.cpu_ms.most = Math.max(report.cpu_ms.most, spent_ms)
    if (outcome === 'malformed' || outcome.status === 'failed') {
      report.refused += 1
      const code = outcome === 'malformed' ? outcome : (outcome.error?.code ?? '')
      report.codes[code] = (report.codes[code] ?? 0) + 1
      return outcome === 'malformed' || Object.keys(outcome.claims).length === 0
    }
    report.accepted_unchanged += 1
    return unchanged !== undefined && isDeepStrictEqual(visibleResult(outcome), visibleResult(unchanged))
  })
  // fast-check keeps its runs in memory. Batches keep them out of the measurement.
  for (let left = n; left > 0; left -= batchSize)
    await fc.assert(property, { numRuns: Math.min(left, batchSize) })
  report.cpu_ms.average = cpu_ms / report.tried
  report.alive_mib.end = measureLiveMib()
  return report
}

/** What the merchant receives, without findings: a wallet may withhold claims that were not requested. */
function visibleResult(outcome: Outcome): unknown {
  const credentials = outcome.credentials.map(({ findings: _, ...credential }) => credential)
  return JSON.parse(JSON.stringify({ claims: outcome.claims, credentials }))
}

function measureLiveMib(): number {
  collectGarbage()
  const { heapUsed, external } = process.memoryUsage()
  return Number(((heapUsed + external) / 2 ** 20).toFixed(1))
}
