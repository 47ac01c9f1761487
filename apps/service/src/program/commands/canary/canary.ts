import { developerVariables } from '../../../engine/config/index.ts'
import { openSandboxIssuer } from '../../../trust/index.ts'
import { type CanaryStep, StepError, runProbes, stepRecorder } from './run-probes.ts'
import { canaryTimeout_ms, serviceClient, type CanaryTarget } from './service-client.ts'
import { command, UsageError } from '../command.ts'
import { withContext } from '../with-context.ts'

export const canaryCommand = command({
  options: {
    url: {
      type: 'string',
      description: 'URL of the service (default: VIDIMUS_URL, or http://localhost:8080)',
    },
    key: {
      type: 'string',
      description: 'test key with verifications:create, :read and :delete (default: VIDIMUS_KEY)',
    },
    timeout: { type: 'string', description: 'seconds per HTTP exchange, 1 to 30 (default: 10)' },
    json: { type: 'boolean', description: 'print one JSON object at the end' },
  },
  async run({ values }) {
    const variables = developerVariables()
    const url = parseServiceUrl(values.url ?? variables.url ?? 'http://localhost:8080')
    const key = requireTestKey(values.key ?? variables.key)
    const timeout_ms = parseTimeout(values.timeout ?? '10')
    const started = new Date()
    const steps: CanaryStep[] = []
    const onStep = (step: CanaryStep) => {
      steps.push(step)
      if (!values.json) process.stdout.write(stepLine(step))
    }
    await probe({ url, key, timeout_ms, run: AbortSignal.timeout(canaryTimeout_ms) }, onStep)
    const ok = steps.every((step) => step.ok)
    const duration_ms = Date.now() - started.getTime()
    const report = { ok, url, started_at: started.toISOString(), duration_ms, steps }
    process.stdout.write(values.json ? `${JSON.stringify(report)}\n` : summaryLine(report))
    return ok ? 0 : 1
  },
})

/** The wallet's credentials are signed with the keys of the installation's sandbox issuer, which are in the database. */
async function probe(target: CanaryTarget, onStep: (step: CanaryStep) => void): Promise<void> {
  const setup = stepRecorder('sandbox wallet', onStep)
  try {
    const issuer = await setup.record('open', () => withContext((ctx) => openSandboxIssuer(ctx)))
    await runProbes({ service: serviceClient(target), limits: target, issuer, onStep })
  } catch (error) {
    // The failed step is already reported.
    if (!(error instanceof StepError)) throw error
  }
}

function stepLine({ probe: name, step, ok, duration_ms, error }: CanaryStep): string {
  const line = `${ok ? 'ok    ' : 'FAILED'}  ${name.padEnd(26)}  ${step.padEnd(8)} ${String(duration_ms).padStart(6)} ms`
  return `${line}${error === undefined ? '' : `  ${error}`}\n`
}

function summaryLine({ ok, duration_ms, steps }: { ok: boolean; duration_ms: number; steps: CanaryStep[] }) {
  const failed = steps.filter((step) => !step.ok).length
  const outcome = ok ? `All ${steps.length} steps passed` : `${failed} of ${steps.length} steps failed`
  return `${outcome} in ${duration_ms} ms.\n`
}

function parseServiceUrl(given: string): string {
  const url = URL.parse(given)
  if (url === null || !/^https?:$/.test(url.protocol))
    throw new UsageError('--url must be an http or https URL')
  return url.href.replace(/\/$/, '')
}

/** The sandbox is trusted only in the test environment, and a canary must not use up a merchant's live quota. */
function requireTestKey(given: string | undefined): string {
  if (given === undefined) throw new UsageError('--key is missing')
  if (!given.startsWith('vk_test_')) throw new UsageError('--key must be a test key: vk_test_…')
  return given
}

function parseTimeout(given: string): number {
  if (!/^(?:[1-9]|[12]\d|30)$/.test(given)) throw new UsageError('--timeout must be 1 to 30 seconds')
  return Number(given) * 1000
}
