import type { MutationReport } from '../../packages/protocol/test/mutate/report-mutations.ts'
import { runChannelMutations } from '../../packages/protocol/test/mutate/run-channel-mutations.ts'
import { runMutations } from '../../packages/protocol/test/mutate/run-mutations.ts'
import type { ChaosReport, ChaosRun } from '../chaos-run.ts'

const limits = { average_ms: 20, most_ms: 250, grown_mib: 8 }

/**
 * Mutates valid wallet responses of both formats: bytes, base64url, JSON, CBOR and structure. `lost` counts mutations that
 * were accepted with claims other than the signed ones or that made the verifier throw (the run stops at the first and
 * prints the smallest such edit), and each limit that was exceeded.
 */
export const mutateResponses: ChaosRun = async ({ n = 500_000 }) =>
  toChaosReport('mutations', await runMutations(n))

/** The same for the responses of the Digital Credentials API, from the posted form to what the wallet signed for. */
export const mutateChannelResponses: ChaosRun = async ({ n = 100_000 }) =>
  toChaosReport('mutations.channels', await runChannelMutations(n))

/** The same with a verifier that does not compare what the device signed for. The run must detect it. */
export const mutateChannelResponsesWithInjectedFault: ChaosRun = async ({ n = 20_000 }) => {
  const detected = await runChannelMutations(n, ['device_signature']).then(
    () => false,
    (error: unknown) => {
      process.stderr.write(`${String(error)}\n`)
      return true
    },
  )
  return {
    name: 'mutations.channels.injected',
    faults: n,
    acknowledged: 0,
    lost: detected ? 1 : 0,
    duplicated: 0,
  }
}

function toChaosReport(
  name: string,
  { tried, refused, accepted_unchanged, codes, cpu_ms, alive_mib }: MutationReport,
): ChaosReport {
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
    name,
    faults: tried,
    acknowledged: refused + accepted_unchanged,
    lost: exceeded.length,
    duplicated: 0,
  }
}
