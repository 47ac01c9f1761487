import {
  type Fault,
  type Fetch,
  type Format,
  type Issuer,
  type Wallet,
  createWallet,
  failureCodes,
  findFault,
  findPersona,
  respond,
} from '@vidimus/sandbox'
import type { Verification } from '@vidimus/contract'
import { type CanaryLimits, type ServiceClient, exchange, expectStatus, parseJson } from './service-client.ts'

type RunProbes = {
  service: ServiceClient
  limits: CanaryLimits
  issuer: Issuer
  onStep: (step: CanaryStep) => void
}

type Probe = { name: string; format: Format; fault?: Fault }

/** A presentation made for another verification: the attack that holder binding prevents. */
const replayFault = requireFault('session_other_nonce')

const probes: readonly Probe[] = [
  { name: 'accepts SD-JWT VC', format: 'dc+sd-jwt' },
  { name: 'accepts mdoc', format: 'mso_mdoc' },
  { name: 'refuses replayed SD-JWT VC', format: 'dc+sd-jwt', fault: replayFault },
  { name: 'refuses replayed mdoc', format: 'mso_mdoc', fault: replayFault },
]

/** Runs every probe, even after a failure: the operator wants to know which of them fail. */
export async function runProbes(options: RunProbes): Promise<void> {
  for (const probe of probes) {
    try {
      await runProbe(probe, options)
    } catch (error) {
      // The failed step is already reported.
      if (!(error instanceof StepError)) throw error
    }
  }
}

async function runProbe(probe: Probe, { service, limits, issuer, onStep }: RunProbes): Promise<void> {
  const recorder = stepRecorder(probe.name, onStep)
  const { id, wallet_uri } = await recorder.record('create', () => service.create())
  try {
    await respondAsWallet(probe, {
      wallet: sandboxWallet(issuer, probe.format),
      wallet_uri,
      recorder,
      limits,
    })
    await recorder.record('read', async () => checkOutcome(probe, await service.readOutcome(id)))
  } finally {
    await recorder.record('erase', () => service.erase(id))
  }
}

function sandboxWallet(issuer: Issuer, format: Format): Wallet {
  const persona = findPersona('adult')
  if (persona === undefined) throw new Error('the sandbox has no persona adult')
  return createWallet(persona, {
    issuer,
    now: new Date(),
    filter: (credential) => credential.format === format,
  })
}

type WalletTurn = { wallet: Wallet; wallet_uri: string; recorder: StepRecorder; limits: CanaryLimits }

/** Reports the wallet's work as two steps: fetching the request object and posting the response. */
async function respondAsWallet(
  { fault }: Probe,
  { wallet, wallet_uri, recorder, limits }: WalletTurn,
): Promise<void> {
  const exchanges = ['request', 'response']
  const recordedFetch: Fetch = (url, init) =>
    recorder.record(exchanges.shift() ?? 'response', async () => {
      const response = await exchange(url, init, limits)
      expectStatus(200, response.status, parseJson(await response.clone().text()))
      return response
    })
  const responded = await respond({
    wallet,
    wallet_uri,
    fetch: recordedFetch,
    now: () => new Date(),
    sleep: () => Promise.reject(new Error('the canary does not delay its response')),
    ...(fault !== undefined && { fault }),
  })
  if (responded.sent) return
  const [violation] = responded.violations
  await recorder.record('response', () =>
    Promise.reject(new Error(`the wallet rejects the request: ${violation?.rule}: ${violation?.message}`)),
  )
}

function checkOutcome(probe: Probe, verification: Verification): void {
  const { status, error, claims, credentials = [] } = verification
  const outcome = error === undefined ? status : `${status} (${error.code})`
  if (probe.fault === undefined) {
    if (status !== 'completed') throw new Error(`a valid response ended as ${outcome}`)
    if (claims === undefined || Object.keys(claims).length === 0) throw new Error('the result has no claims')
    if (!credentials.some(({ format }) => format === probe.format))
      throw new Error(`the result has no credential of format ${probe.format}`)
    return
  }
  const expected = expectedCode(probe.fault, probe.format)
  if (status !== 'failed' || error?.code !== expected)
    throw new Error(`the fault ${probe.fault.name} ended as ${outcome}, not failed (${expected})`)
  if (claims !== undefined) throw new Error('a refused response shows claims')
}

function expectedCode({ expect }: Fault, format: Format): string | undefined {
  const expectation = expect[format]
  return expectation !== undefined && 'check' in expectation ? failureCodes[expectation.check] : undefined
}

function requireFault(name: string): Fault {
  const fault = findFault(name)
  if (fault === undefined) throw new Error(`the sandbox has no fault ${name}`)
  return fault
}

/** A reported step of a probe. */
export type CanaryStep = {
  probe: string
  step: string
  ok: boolean
  duration_ms: number
  error?: string
}

type StepRecorder = {
  /** Runs one step, reports it with its duration, and throws StepFailed when it fails. */
  record<Result>(step: string, work: () => Promise<Result>): Promise<Result>
}

/** A step failed. Its reason is already reported. */
export class StepError extends Error {
  override name = 'StepError'
}

/** Reports every step of one probe to `onStep`. */
export function stepRecorder(probe: string, onStep: (step: CanaryStep) => void): StepRecorder {
  return {
    async record(step, work) {
      const startedAt_ms = performance.now()
      const elapsed_ms = () => Math.round(performance.now() - startedAt_ms)
      try {
        const result = await work()
        onStep({ probe, step, ok: true, duration_ms: elapsed_ms() })
        return result
      } catch (error) {
        // Reporting any failure is the purpose of the canary.
        onStep({ probe, step, ok: false, duration_ms: elapsed_ms(), error: failureReason(error) })
        throw new StepError(step)
      }
    },
  }
}

const maxReasonLength = 300

/** Why a step failed, in one line. `fetch` puts the reason of a failed connection in `cause`. */
function failureReason(error: unknown): string {
  const { cause } = error instanceof Error ? error : {}
  const reason = cause instanceof Error ? cause : error
  const message = reason instanceof Error ? reason.message || reason.name : String(reason)
  return message.replaceAll(/\s+/g, ' ').slice(0, maxReasonLength)
}
