import { isDeepStrictEqual } from 'node:util'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import fc from 'fast-check'
import type { CheckName } from '../../src/checks.ts'
import { hasFailure } from '../../src/findings.ts'
import { verifyMdoc } from '../../src/mdoc/verify.ts'
import { decideOutcome } from '../../src/outcome/decide.ts'
import type { Outcome, PresentedCredential, VerificationContext } from '../../src/presentation.ts'
import { verifySdJwt } from '../../src/sd-jwt/verify.ts'
import { verifyPresentation } from '../../src/verify-presentation.ts'
import { edits, pick, type Edit } from './edit.ts'
import { mutatePresentation } from './presentation.ts'
import { makeValidPresentations } from './valid-presentations.ts'

export type MutationReport = {
  tried: number
  refused: number
  /** Accepted with the signed claims: the mutation did not touch signed data. */
  accepted_unchanged: number
  /** By error code. */
  codes: Record<string, number>
  cpu_ms: { average: number; most: number }
  /** Live memory after a garbage collection. */
  alive_mib: { start: number; half: number; end: number }
}

const batchSize = 5_000

setFlagsFromString('--expose-gc')
const collectGarbage: () => void = runInNewContext('gc')

/**
 * Mutates valid presentations `n` times, in one or several places, and verifies them. Throws at the first one that makes the
 * verifier throw or is accepted with other claims than were signed; fast-check then finds the smallest such edit.
 * `ignoredChecks` injects a fault: the verifier ignores these checks.
 */
export async function runMutations(
  n: number,
  ignoredChecks: readonly CheckName[] = [],
): Promise<MutationReport> {
  const { context, presentations } = makeValidPresentations()
  const verify = (id: string, presentation: string): Promise<Outcome> =>
    ignoredChecks.length === 0
      ? verifyPresentation(context.request, { [id]: [presentation] }, context.trust, context.now)
      : verifyIgnoring({ [id]: [presentation] }, context, ignoredChecks)

  const originals = new Map<string, Outcome>()
  for (const { id, presentation } of presentations) originals.set(id, await verify(id, presentation))
  for (const outcome of originals.values())
    if (outcome.status !== 'completed') throw new Error(JSON.stringify(outcome))

  const report: MutationReport = {
    tried: 0,
    refused: 0,
    accepted_unchanged: 0,
    codes: {},
    cpu_ms: { average: 0, most: 0 },
    alive_mib: { start: measureLiveMib(), half: 0, end: 0 },
  }
  const mutation = fc.record({
    format: fc.nat({ max: presentations.length - 1 }),
    changes: fc.array(edits, { minLength: 1, maxLength: 3 }),
  })
  let cpu_ms = 0
  const property = fc.asyncProperty(mutation, async ({ format, changes }) => {
    const sample = pick(presentations, format)
    const presentation = applyAll(sample, changes)
    const startedAt = process.cpuUsage()
    const outcome = await verify(sample.id, presentation)
    const { user, system } = process.cpuUsage(startedAt)
    const spent_ms = (user + system) / 1000
    cpu_ms += spent_ms
    report.tried += 1
    if (report.tried === Math.floor(n / 2)) report.alive_mib.half = measureLiveMib()
    report.cpu_ms.most = Math.max(report.cpu_ms.most, spent_ms)
    if (outcome.status === 'failed') {
      report.refused += 1
      const code = outcome.error?.code ?? ''
      report.codes[code] = (report.codes[code] ?? 0) + 1
      return Object.keys(outcome.claims).length === 0
    }
    report.accepted_unchanged += 1
    return isDeepStrictEqual(visibleResult(outcome), visibleResult(originals.get(sample.id)))
  })
  // fast-check keeps its runs in memory. Batches keep them out of the measurement.
  for (let left = n; left > 0; left -= batchSize)
    await fc.assert(property, { numRuns: Math.min(left, batchSize) })
  report.cpu_ms.average = cpu_ms / report.tried
  report.alive_mib.end = measureLiveMib()
  return report
}

/** A faulty verifier that ignores some checks, for runs that must fail. */
function verifyIgnoring(
  vp_token: unknown,
  context: VerificationContext,
  ignoredChecks: readonly CheckName[],
): Promise<Outcome> {
  const ignoreFailures = (credential: PresentedCredential): PresentedCredential => {
    const findings = credential.findings.filter(({ check }) => !ignoredChecks.includes(check))
    const flags = hasFailure(findings)
      ? {}
      : { trusted: true, signature_valid: true, holder_binding_valid: true }
    return { ...credential, ...flags, findings }
  }
  const verifiers = {
    verify: (presentation: string) =>
      ignoreFailures(
        presentation.includes('~') ? verifySdJwt(presentation, context) : verifyMdoc(presentation, context),
      ),
    checkStatus: async () => [],
  }
  return decideOutcome(context.request, vp_token, verifiers, context.now)
}

function applyAll(sample: Parameters<typeof mutatePresentation>[0], changes: Edit[]): string {
  return changes.reduce((presentation, edit) => {
    try {
      return mutatePresentation({ ...sample, presentation }, edit)
    } catch {
      // After an earlier edit it is no longer CBOR, or has nothing to choose from. Leave it unchanged.
      return presentation
    }
  }, sample.presentation)
}

/** What the merchant receives, without findings: a wallet may withhold claims that were not requested. */
function visibleResult(outcome: Outcome | undefined): unknown {
  const credentials = outcome?.credentials.map(({ findings: _, ...credential }) => credential)
  return JSON.parse(JSON.stringify({ claims: outcome?.claims, credentials }))
}

function measureLiveMib(): number {
  collectGarbage()
  const { heapUsed, external } = process.memoryUsage()
  return Number(((heapUsed + external) / 2 ** 20).toFixed(1))
}
