import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { readConfig } from '../../../apps/service/src/engine/config/config.ts'
import { openContext } from '../../../apps/service/src/program/context.ts'
import { openLog } from '../../../apps/service/src/engine/observability/log.ts'
import { reply, startReceiver } from '../../../apps/service/test/network/receiver.ts'
import { signIn } from '../../../apps/service/test/sign-in/browser.ts'
import { newAccessCertificate } from '../../../apps/service/test/trust/access-certificate.ts'
import { joinPem, newAuthority } from '../../../apps/service/test/trust/authorities.ts'
import {
  listType,
  newListOperator,
  pidIssuance,
  writeTrustList,
} from '../../../apps/service/test/trust/trust-list.ts'
import { call, create, type States, type Tenant } from './calls.ts'
import { overloadStates } from './overload-states.ts'
import type { Installation } from './start-installation.ts'

/** The states of each incident page, by its file name. */
export function openStates(
  installation: Installation,
  tenant: Tenant,
): Record<string, States> & AsyncDisposable {
  const { postgres, redis, start, stop } = installation
  const resources = new AsyncDisposableStack()
  return {
    'database-down': { stopped: () => postgres.kill(), started: () => postgres.start() },
    'redis-down': {
      stopped: async () => {
        await redis.kill()
        await call(installation, tenant, '/v1/templates')
      },
      started: () => redis.start(),
    },
    backlog: backlogStates(installation, tenant, resources),
    'stale-list': listStates(installation, resources),
    'certificate-near-end': {
      near: async () => {},
      renewed: async () => {
        const { key, chain } = newAccessCertificate({ days: 300 })
        writeFileSync(join(installation.folder, 'access.new.key'), key)
        writeFileSync(join(installation.folder, 'access.new.pem'), chain)
      },
      restarted: async () => {
        await stop('serve')
        await start('serve')
      },
    },
    'quota-dispute': {
      used: async () => {
        await installation.run('admin', 'tenant', 'quota', '--tenant', tenant.TENANT, '--daily-quota', '3')
        for (let created = 0; created < 3; created += 1) await create(installation, tenant)
      },
    },
    'key-leaked': {
      leaked: async () => {
        await create(installation, tenant)
        const log = openLog({ LOG_LEVEL: 'silent' })
        await using ctx = await openContext({ ...readConfig(installation.settings), log })
        const service = { ctx, address: installation.environment['VIDIMUS_URL'] ?? '' }
        await signIn(service, { tenant_id: tenant.TENANT, role: 'admin', email: 'ann@example.com' })
      },
    },
    ...overloadStates(installation, tenant, resources),
    [Symbol.asyncDispose]: () => resources.disposeAsync(),
  }
}

/** The worker stops, and an event has waited for five minutes; then a worker starts. */
function backlogStates(installation: Installation, tenant: Tenant, resources: AsyncDisposableStack): States {
  return {
    stopped: async () => {
      await installation.stop('work')
      const receiver = resources.use(await startReceiver(reply(204)))
      const { wallet_uri } = await create(installation, tenant, { webhook_url: receiver.url })
      await installation.run('wallet', 'respond', wallet_uri)
      await installation.postgres.run("update webhook_events set due_at = due_at - interval '5 minutes'")
    },
    started: () => installation.start('work'),
  }
}

/** A list was loaded four hours ago and its server is down; then the server is back. */
function listStates(installation: Installation, resources: AsyncDisposableStack): States {
  const operator = newListOperator('List Operator')
  const now = Math.floor(Date.now() / 1000)
  const body = writeTrustList(operator, {
    sequence_number: 1,
    issued_at: now - 60,
    next_update: now + 86_400,
    services: { [pidIssuance]: [newAuthority('Root').certificate] },
  })
  const list = reply(200, { 'content-type': 'application/jose' }, body)
  let behave = list
  return {
    stale: async () => {
      const server = resources.use(await startReceiver((socket, request) => behave(socket, request)))
      const services = [{ service_type: pidIssuance, document_types: ['urn:eudi:pid:1'] }]
      const entry = {
        url: server.url,
        environment: 'test',
        type: listType,
        services,
        signers: joinPem(operator.authority.certificate),
      }
      writeFileSync(join(installation.folder, 'lists.json'), JSON.stringify([entry]))
      await installation.run('admin', 'trust', 'refresh')
      behave = reply(503)
      await installation.postgres.run(
        "update trust_lists set refreshed_at = refreshed_at - interval '4 hours'",
      )
    },
    fetched: async () => {
      behave = list
    },
  }
}
