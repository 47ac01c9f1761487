import { runMutations } from '../../packages/protocol/test/mutate/run-mutations.ts'
import type { ChaosRun } from '../chaos-run.ts'

const limits = { average_ms: 20, most_ms: 250, grown_mib: 8 }

/**
 * Mutates valid wallet responses of both formats: bytes, base64url, JSON, CBOR and structure. `lost` counts mutations that
 * were accepted with claims other than the signed ones or that made the verifier throw (the run stops at the first and
 * prints the smallest such edit), and each limit that was exceeded.
 */
export const mutateResponses: ChaosRun = async ({ n = 500_000 }) => {
  const { tried, refused, accepted_unchanged, codes, cpu_ms, alive_mib } = await runMutations(n)
  process.stderr.write(
    `refused ${refused} (${JSON.stringify(codes)}); signed data unchanged in ${accepted_unchanged}\n`,
  )
  process.stderr.write(
    `CPU ${cpu_ms.average.toFixed(2)} ms on average, ${cpu_ms.most.toFixed(0)} ms at most\n`,
  )
  process.stderr.write(
    `live heap ${alive_mib.start} MiB before, ${alive_mib.half} MiB half-way, ${alive_mib.end} MiB after\n`,
  )
  const exceeded = [
    cpu_ms.average > limits.average_ms,
    cpu_ms.most > limits.most_ms,
    alive_mib.end - alive_mib.half > limits.grown_mib,
  ].filter(Boolean)
  return {
    name: 'mutations',
    faults: tried,
    acknowledged: refused + accepted_unchanged,
    lost: exceeded.length,
    duplicated: 0,
  }
}
