import fc from 'fast-check'
import type { CheckName } from '../../src/checks.ts'
import type { Outcome } from '../../src/presentation.ts'
import { openResponse } from '../../src/response/open.ts'
import { mutateChannelResponse } from './channel-response.ts'
import { makeChannelSamples, type ChannelSample } from './channel-samples.ts'
import { edits, pick } from './edit.ts'
import { reportMutations, type MutationReport } from './report-mutations.ts'
import { verifyIgnoring } from './verify-ignoring.ts'

/**
 * Mutates valid responses of the Digital Credentials API `n` times: the posted form, the encrypted message, its plaintext, the
 * presentation, and what it was signed for. Throws at the first one that makes the verifier throw, is accepted with other
 * claims, or was signed for something else. `ignoredChecks` injects a fault: the verifier ignores these checks.
 */
export async function runChannelMutations(
  n: number,
  ignoredChecks: readonly CheckName[] = [],
): Promise<MutationReport> {
  const samples = await makeChannelSamples()
  const originals = new Map<ChannelSample, Outcome>()
  for (const sample of samples) {
    const { body } = await mutateChannelResponse(sample, 0, [])
    const outcome = await openAndVerify({ sample, body }, ignoredChecks)
    if (outcome === 'malformed' || outcome.status !== 'completed') throw new Error(JSON.stringify(outcome))
    originals.set(sample, outcome)
  }
  return reportMutations(n, {
    mutations: fc.record({
      format: fc.nat({ max: samples.length - 1 }),
      layer: fc.nat({ max: 4 }),
      changes: fc.array(edits, { minLength: 1, maxLength: 3 }),
    }),
    mutate: async ({ format, layer, changes }) => {
      const sample = pick(samples, format)
      const { body, may_be_accepted } = await mutateChannelResponse(sample, layer, changes)
      return {
        response: { sample, body },
        unchanged: may_be_accepted ? originals.get(sample) : undefined,
      }
    },
    verify: (response) => openAndVerify(response, ignoredChecks),
  })
}

async function openAndVerify(
  { sample, body }: { sample: ChannelSample; body: string },
  ignoredChecks: readonly CheckName[],
): Promise<Outcome | 'malformed'> {
  const opened = openResponse(body, sample.verification)
  switch (opened.kind) {
    case 'malformed':
      return 'malformed'
    case 'error':
      return { status: 'failed', claims: {}, credentials: [], error: opened.error }
    case 'presentation':
      return verifyIgnoring(opened.vp_token, sample.context, ignoredChecks)
  }
}
