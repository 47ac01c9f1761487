import { managementRoutes, type DashboardOperation, type ManagementOperation } from '@vidimus/contract'
import { flushAudit } from '../../../apps/service/src/audit/advance.ts'
import type { ApiResponse, Caller } from '../../../apps/service/test/caller.ts'
import { buildPath, type Browser } from '../../../apps/service/test/sign-in/browser.ts'
import { expectEqual } from '../expect-equal.ts'
import type { IsolationFixture } from '../fixture/isolation-fixture.ts'
import { deleteTenantWideAlerts, generateActivity } from '../fixture/generate-activity.ts'
import type { MatrixPart } from '../matrix-part.ts'
import { stableResponse } from './reads.ts'
import { readQuery, readRoutes } from './routes.ts'
import { streamTrials } from './streams.ts'
import { writeTrials, type RouteTrial } from './writes.ts'

export function isManaged(operation: DashboardOperation): operation is ManagementOperation {
  return operation in managementRoutes
}

/** Calls an operation of the dashboard as an API key does. The key has an environment of its own. */
export function asKey(key: Caller): Pick<Browser, 'call'> {
  return {
    call(operation, { params = {}, query, body } = {}) {
      if (!isManaged(operation)) throw new Error(`no key can ${operation}`)
      const { method, path } = managementRoutes[operation]
      return key.request(method, buildPath(path, params, query), { ...(body !== undefined && { body }) })
    },
  }
}

/** The fixture with API keys where its other tenant's members would act. */
function withKeys(fixture: IsolationFixture): IsolationFixture {
  const { merchant, live, team } = fixture.otherTenant
  const call: Browser['call'] = (operation, options) => {
    // The request to resend that a member made in test is still open.
    const isLive = options?.params?.['environment'] === 'live' || operation === 'resendFailed'
    const key = isLive ? live : merchant
    return isManaged(operation) ? asKey(key).call(operation, options) : team.owner.call(operation, options)
  }
  const members = { ...team, owner: { ...team.owner, call }, auditor: { ...team.auditor, call } }
  return { ...fixture, otherTenant: { ...fixture.otherTenant, team: members } }
}

const trials: Partial<Record<DashboardOperation, RouteTrial>> = { ...streamTrials, ...writeTrials }

/** What a key does without naming an object applies to its own tenant. */
const changeParts: readonly MatrixPart[] = Object.entries(trials).flatMap(([name, trial]) => {
  const operation = name as DashboardOperation // a key of the trials
  if (!isManaged(operation)) return []
  return {
    name: `${operation}: by key`,
    routes: [operation],
    run: async (fixture) => ({ cells: 1, faults: await trial(withKeys(fixture)) }),
  }
})

// Reading it by key adds an entry to it.
const managedReads = readRoutes
  .map(([name]) => name)
  .filter(isManaged)
  .filter((name) => name !== 'listRequests')

const readParts: readonly MatrixPart[] = [
  {
    name: 'what keys are shown',
    routes: managedReads,
    async run(fixture) {
      await flushAudit(fixture.service.ctx)
      await deleteTenantWideAlerts(fixture.service.ctx)
      const before = await readAll(fixture)
      await generateActivity(fixture, fixture.victim, ['test', 'live'])
      const after = await readAll(fixture)
      const faults = Array.from(before, ([page, text]) => expectEqual(page, after.get(page), text))
      return { cells: before.size, faults: faults.flat() }
    },
  },
  {
    name: 'the request log by key',
    routes: ['listRequests'],
    async run({ otherTenant, victim }) {
      const { body } = await otherTenant.merchant.get('/v1/requests?limit=100')
      const keys = new Set(body.data.map(({ key_id }: { key_id?: string }) => key_id))
      return {
        cells: 1,
        faults: expectEqual(
          'whose requests are shown',
          [keys.has(otherTenant.merchant.key_id), keys.has(victim.merchant.key_id)],
          [true, false],
        ),
      }
    },
  },
]

async function readAll({ otherTenant: { merchant, live } }: IsolationFixture): Promise<Map<string, string>> {
  const pages = new Map<string, string>()
  for (const operation of managedReads)
    for (const [environment, key] of Object.entries({ merchant, live })) {
      const query = readQuery(operation)
      const response: ApiResponse = await asKey(key).call(operation, {
        ...(query !== undefined && { query }),
      })
      pages.set(`${operation} ${environment}`, stableResponse(response))
    }
  return pages
}

export const managementParts: readonly MatrixPart[] = [...readParts, ...changeParts]
