import { sql } from '../../apps/service/src/engine/db/sql.ts'
import { setHolderPage } from '../../apps/service/src/accounts/tenants/holder-page.ts'
import { sourceFaults } from '../../apps/service/test/injected-faults.ts'
import type { InjectedFault } from '../../apps/service/test/processes/inject-faults.ts'
import { startProcesses, type ServiceProcesses } from '../../apps/service/test/processes/processes.ts'
import { holderChannels, openWallet, type HolderChannel } from '../../apps/service/test/wallet.ts'
import type { ChaosReport, ChaosRun } from '../chaos-run.ts'
import { runConcurrently } from '../run-concurrently.ts'

const processes = 2
const fullSize = 1000
const origin = 'https://shop.example'
/** Connections of one address, of which a process accepts 512. */
const concurrency = 200
const maxTries = 100

/** Simultaneous valid responses to one verification over all channels and two processes: one is accepted, and the others get 409. */
export const channelRace: ChaosRun = ({ n = fullSize }) => run('response.channels', n, [])

/** The same, with a service that acknowledges a response although another one was recorded. */
export const channelRaceWithInjectedFault: ChaosRun = ({ n = fullSize }) =>
  run('response.channels.injected', n, sourceFaults.lateResponseAccepted)

async function run(name: string, n: number, injectedFaults: InjectedFault[]): Promise<ChaosReport> {
  await using service = await startProcesses(processes, {
    injectedFaults,
    environment: { RATE_LIMITS: 'key=1000000/60,ip=1000000/60,session=1000000/60' },
  })
  const merchant = await service.tenant()
  const by = { kind: 'operator', tenant_id: merchant.tenant_id } as const
  await setHolderPage(service.ctx, { by, page_origins: [origin], age_app: true })
  const { body } = await merchant.post('/v1/verifications', { template: 'age_over_18' })
  const id: string = body.id
  // All responses exist before the first is posted, so that nothing but the service decides.
  const responses = await runConcurrently(n, 8, (round) => prepareResponse(service, id, round))
  const statuses = await runConcurrently(n, concurrency, (round) => post(responses[round], round))
  const accepted = statuses.filter((status) => status === 200).length
  const refused = statuses.filter((status) => status === 409).length
  const [recorded] = await service.ctx.db.query<{ results: number; entries: number }>(sql`
    select (select count(*)::int from verification_results) as results,
      (select count(*)::int from audit_inbox where action = 'verification.completed') as entries`)
  const isRecordedOnce = recorded?.results === 1 && recorded.entries === 1
  return {
    name,
    faults: refused,
    acknowledged: accepted,
    lost: n - accepted - refused + (isRecordedOnce ? 0 : 1),
    duplicated: Math.max(accepted - 1, 0),
  }

  /** Posts to the processes in turn. An overloaded process replies 503, and a wallet tries again. */
  async function post(response: PreparedResponse | undefined, round: number): Promise<number> {
    if (response === undefined) return 0
    const { path, headers, form } = response
    const address = service.processes[round % processes]?.address ?? ''
    for (let tries = 1; ; tries += 1) {
      const { status } = await fetch(`${address}${path}`, { method: 'POST', headers, body: form })
      if (status !== 503 || tries === maxTries) return status
    }
  }
}

type PreparedResponse = { path: string; headers: Record<string, string>; form: string }

/** A valid response over the channel whose turn it is. */
async function prepareResponse(
  { ctx, processes: [first] }: ServiceProcesses,
  id: string,
  round: number,
): Promise<PreparedResponse> {
  const channel = holderChannels[round % holderChannels.length] ?? 'redirect'
  let form = ''
  const wallet = await openWallet(ctx, first?.address ?? '', { onPost: (posted) => void (form = posted) })
  const responded = await wallet.respondOver(channel, id, origin)
  if (!responded.sent || form === '')
    throw new Error(`the wallet did not respond over ${channel}: ${JSON.stringify(responded)}`)
  const type = { 'content-type': 'application/x-www-form-urlencoded' }
  const isPage = channel === 'dc_api' || channel === 'annex_c'
  return { path: paths[channel](id), headers: isPage ? { ...type, origin } : type, form }
}

const paths: Record<HolderChannel, (id: string) => string> = {
  redirect: (id) => `/wallet/response/${id}`,
  screen: (id) => `/wallet/response/${id}?via=screen`,
  age_app: (id) => `/wallet/response/${id}?via=age_app`,
  age_app_screen: (id) => `/wallet/response/${id}?via=age_app_screen`,
  dc_api: (id) => `/wallet/dc/${id}`,
  annex_c: (id) => `/wallet/dc/${id}`,
}
