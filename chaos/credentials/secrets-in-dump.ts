import { execFileSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { rotateWebhookSecret } from '../../apps/service/src/deliveries/webhooks/secrets/secrets.ts'
import { sql } from '../../apps/service/src/engine/db/sql.ts'
import { deriveSecrets } from '../../apps/service/src/verifications/wallet/derive-secrets.ts'
import { providerSecret, startIdentityProvider } from '../../apps/service/test/sign-in/identity-provider.ts'
import { startService, type Service, type ServiceOptions } from '../../apps/service/test/service.ts'
import { openWallet } from '../../apps/service/test/wallet.ts'
import { findSecrets, encodings, type Secret } from './find-secrets.ts'
import { issueMemberSecrets } from './issue-member-secrets.ts'
import type { ChaosRun } from '../chaos-run.ts'

const till = { name: 'Till 7', allowed_templates: ['age_over_18'] }

/**
 * Issues every kind of secret `n` times and searches a database dump and the log for them, in plain text, hexadecimal and
 * base64. `lost` counts the secrets found.
 */
export const secretsInDump: ChaosRun = async ({ n = 50 }) => {
  const log: string[] = []
  await using service = await startWithProvider({ onLog: (line) => void log.push(line) })
  const issued = await issueSecrets(service, n)
  const found = [...findSecrets(dumpDatabase(service), issued), ...findSecrets(log.join(''), issued)]
  for (const { kind, form } of found) process.stderr.write(`${kind} was found as ${form}\n`)
  return {
    name: 'secrets',
    faults: issued.length,
    acknowledged: issued.length,
    lost: found.length,
    duplicated: 0,
  }
}

/** The same with a secret of each kind stored in a table in each encoding: `lost` must count them all. */
export const secretsWithInjectedFault: ChaosRun = async () => {
  await using service = await startWithProvider()
  const kinds = new Map((await issueSecrets(service, 1)).map((secret) => [secret.kind, secret]))
  const report = { name: 'secrets.injected', faults: 0, acknowledged: 0, lost: 0, duplicated: 0 }
  for (const secret of kinds.values()) {
    for (const [form, encode] of Object.entries(encodings)) {
      const [leaked = ''] = encode(Buffer.from(secret.text))
      await service.ctx.db.execute(sql`update tenants set brand = ${{ left: leaked }}`)
      report.faults += 1
      if (findSecrets(dumpDatabase(service), [secret]).some((each) => each.form === form)) report.lost += 1
    }
  }
  return report
}

/** A service whose members can also sign in with an identity provider. */
async function startWithProvider(options: Pick<ServiceOptions, 'onLog'> = {}): Promise<Service> {
  const provider = await startIdentityProvider('http://localhost:8080')
  const service = await startService({
    ...options,
    environment: provider.environment,
  })
  return {
    ...service,
    async [Symbol.asyncDispose]() {
      await service[Symbol.asyncDispose]()
      provider.close()
    },
  }
}

function dumpDatabase({ database_url }: Service): string {
  return execFileSync('pg_dump', ['--data-only', database_url], { encoding: 'utf8', maxBuffer: 2 ** 30 })
}

async function issueSecrets(service: Service, n: number): Promise<Secret[]> {
  const { ctx } = service
  const issued: Secret[] = [
    { kind: 'master key', text: Buffer.alloc(32, 7).toString('base64url') },
    { kind: "provider's secret", text: providerSecret },
  ]
  const add = (kind: string, text: string) => void issued.push({ kind, text })
  const wallet = await openWallet(ctx, service.address)
  for (let turn = 0; turn < n; turn += 1) {
    const merchant = await service.tenant()
    for (const secret of await issueMemberSecrets(service, merchant)) issued.push(secret)
    add('key', merchant.key)
    add('key', (await merchant.as({ environment: 'live' })).key)
    add('webhook secret', merchant.webhook_secret)
    add(
      'webhook secret',
      await rotateWebhookSecret(ctx, {
        by: { kind: 'operator', tenant_id: merchant.tenant_id },
        environment: 'test',
      }),
    )
    add('pairing code', (await merchant.post('/v1/devices', till)).body.pairing_code)
    const { pairing_code } = (await merchant.post('/v1/devices', till)).body
    add('pairing code', pairing_code)
    let { body: pair } = await service.anonymous.post('/v1/devices/enroll', { pairing_code })
    for (let refreshed = 0; refreshed < 2; refreshed += 1) {
      add('access token', pair.access_token)
      add('refresh token', pair.refresh_token)
      pair = (await service.anonymous.post('/v1/devices/token', { refresh_token: pair.refresh_token })).body
    }
    const idempotencyKey = randomBytes(16).toString('base64url')
    add('idempotency key', idempotencyKey)
    const { id, wallet_uri } = (
      await merchant.post(
        '/v1/verifications',
        { template: 'age_over_18', redirect_url: 'https://shop.example/' },
        { headers: { 'idempotency-key': idempotencyKey } },
      )
    ).body
    await merchant.post('/v1/verifications', { template: 'age_over_18' })
    for (const secret of await readVerificationSecrets(service, id)) issued.push(secret)
    const responded = await wallet.respond(wallet_uri)
    add('response code', /response_code=([\w-]+)/.exec(responded.sent ? responded.body : '')?.[1] ?? '')
  }
  if (issued.some(({ text }) => text.length < 8)) throw new Error('a kind of secret was not issued')
  return issued
}

/**
 * The seed of a verification that is about to be answered, which the response destroys, and the secrets derived from the seeds of
 * open verifications. Seeds of open verifications may be stored: without the key ring they are useless.
 */
async function readVerificationSecrets({ ctx }: Service, responded: string): Promise<Secret[]> {
  const rows = await ctx.db.query<{ id: string; seed: Buffer }>(
    sql`select id, seed from verification_sessions where seed is not null order by created_at desc limit 2`,
  )
  return rows.flatMap(({ id, seed }) => {
    const { nonce, state, encryption_material } = deriveSecrets(ctx.keyring, seed, { kind: 'redirect' })
    return [
      ...(id === responded ? [{ kind: 'seed', text: seed.toString('hex') }] : []),
      { kind: 'nonce', text: nonce },
      { kind: 'state', text: state },
      { kind: 'encryption key', text: encryption_material.toString('base64url') },
    ]
  })
}
