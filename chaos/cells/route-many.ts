import { buildApp } from '../../apps/service/src/program/app.ts'
import type { Merchant } from '../../apps/service/test/service.ts'
import { caller } from '../../apps/service/test/caller.ts'
import type { ChaosReport, ChaosRun } from '../chaos-run.ts'
import { listRoutes } from './list-routes.ts'
import { sendToRoutes } from './send-to-routes.ts'
import { startCells, type CellName, type Cells } from '../../apps/service/test/cells/start-cells.ts'

const fullSize = 100_000

/** N requests of two cells over every route, with credentials that do not exist, and whole verifications and pairings with ones that do. */
export const routeMany: ChaosRun = ({ n = fullSize }) => run('cells.routing', n)

/** The same without the rule for refresh tokens. The run must detect it. */
export const routeManyWithoutRule: ChaosRun = ({ n = fullSize }) =>
  run('cells.routing.injected', n, (rules) => rules.replace(/.*json_query\('\$\.refresh_token'\).*\n/, ''))

async function run(name: string, n: number, change?: (rules: string) => string): Promise<ChaosReport> {
  await using fixture = await startCells(change === undefined ? {} : { change })
  const { a, b } = fixture.cells
  const app = buildApp(a.ctx)
  await app.ready()
  const routes = listRoutes(app).filter(({ method }) => method !== 'HEAD')
  await app.close()
  const merchants = { a: await a.tenant({ daily_quota: n }), b: await b.tenant({ daily_quota: n }) }
  let sent = 0
  const wrong: string[] = []
  while (sent < n) {
    const refused = await sendToRoutes({ ...fixture, ...a.ctx, routes, expected: (own) => own })
    sent += refused.sent
    wrong.push(...refused.wrong)
    for (const cell of ['a', 'b'] as const) {
      const used = await useCell(fixture, merchants, cell)
      sent += used.length
      wrong.push(...used.filter((step) => step !== ''))
    }
  }
  for (const each of new Set(wrong)) process.stderr.write(`${each}\n`)
  return { name, faults: 0, acknowledged: sent, lost: wrong.length, duplicated: 0 }
}

/** A verification and a pairing with real credentials: each step works only in its own cell. Returns what went wrong for each step. */
async function useCell(
  { address }: Cells,
  merchants: Record<CellName, Merchant>,
  cell: CellName,
): Promise<string[]> {
  const [own, other] = [caller(address, merchants[cell].key), merchants[cell === 'a' ? 'b' : 'a']]
  const anyone = caller(address)
  const outcomes: string[] = []
  const expectStatus = async (step: string, expected: number, response: ReturnType<typeof anyone.get>) => {
    const { status, body, headers } = await response
    const reached = headers.get('vidimus-cell')
    outcomes.push(
      status === expected && reached === cell
        ? ''
        : `${step} of cell ${cell}: ${status} from ${String(reached)}`,
    )
    return body
  }
  const made = await expectStatus('create', 201, own.post('/v1/verifications', { template: 'age_over_18' }))
  await expectStatus('get', 200, own.get(`/v1/verifications/${made.id}`))
  await expectStatus('status', 200, caller(address, other.key).get(`/v1/verifications/${made.id}/status`))
  await expectStatus('page', 200, anyone.get(`/verify/${made.id}/session`))
  await expectStatus('response', 200, anyone.post('/sandbox/responses', { wallet_uri: made.wallet_uri }))
  await expectStatus('list', 200, own.get('/v1/verifications?limit=1'))
  const device = await expectStatus(
    'register',
    201,
    own.post('/v1/devices', { name: 'Till', allowed_templates: ['age_over_18'] }),
  )
  const { pairing_code } = device
  const pair = await expectStatus('pair', 200, anyone.post('/v1/devices/enroll', { pairing_code }))
  const { refresh_token } = pair
  const next = await expectStatus('refresh', 200, anyone.post('/v1/devices/token', { refresh_token }))
  const till = caller(address, next.access_token)
  await expectStatus('till', 201, till.post('/v1/verifications', { template: 'age_over_18' }))
  await expectStatus('erase', 200, own.request('DELETE', `/v1/verifications/${made.id}`))
  return outcomes
}
