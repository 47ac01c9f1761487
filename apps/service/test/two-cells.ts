import { randomBytes } from 'node:crypto'
import { moveTenant, type MovedTenant, type MoveStep } from '../src/operations/tenant-moves/move.ts'
import { caller, type Caller } from './caller.ts'
import { pairDevice } from './pair-device.ts'
import { startService, type Merchant, type Service } from './service.ts'
import { signIn } from './sign-in/browser.ts'
import { newAccessCertificate } from './trust/access-certificate.ts'
import { openWallet } from './wallet.ts'
import { setIdentity } from '../src/trust/identity/set-identity.ts'

export type TwoCells = {
  source: Service
  target: Service
  move(tenant_id: string, onStep?: (step: MoveStep) => void): Promise<MovedTenant>
} & AsyncDisposable

/** Two cells with databases and master keys of their own, and no router: a test decides whom it asks. */
export async function startTwoCells(): Promise<TwoCells> {
  const targetKey = randomBytes(32)
  const source = await startService({ environment: { CELL: '0' } })
  const target = await startService({ environment: { CELL: '1', MASTER_KEY: targetKey.toString('base64') } })
  return {
    source,
    target,
    move: (tenant_id, onStep = () => {}) =>
      moveTenant({ source: source.ctx, target: target.ctx }, { tenant_id, onStep }),
    async [Symbol.asyncDispose]() {
      await source[Symbol.asyncDispose]()
      await target[Symbol.asyncDispose]()
    },
  }
}

/** The same caller, at the address of another cell. */
export function callAt(service: Service, { key }: Pick<Merchant, 'key'>): Caller {
  return caller(service.address, key)
}

export type FilledTenant = Merchant & {
  tokens: { access_token: string; refresh_token: string }
  sent: string
  open: { id: string; wallet_uri: string; request_uri: string }
  keyed: string
}

export const keyedRequest = {
  body: { template: 'age_over_18', purpose: 'with a key' },
  options: { headers: { 'idempotency-key': 'created-before-the-move' } },
}

/** A tenant with rows in as many tables as possible. */
export async function fillTenant(service: Service): Promise<FilledTenant> {
  const merchant = await service.tenant()
  const owner = await signIn(service, { ...merchant, email: 'owner@example.com' })
  await owner.call('inviteMember', { body: { email: 'second@example.com', role: 'support' } })
  await owner.call('duplicateTemplate', { params: { key: 'age_over_18' }, body: { key: 'own' } })
  const { tokens } = await pairDevice(service, merchant)
  await merchant.post('/v1/devices', { name: 'Not paired', allowed_templates: ['age_over_18'] })
  await merchant.post('/v1/webhook_endpoints', {
    url: 'https://8.8.8.8/endpoint',
    events: ['verification.completed'],
  })
  const wallet = await openWallet(service.ctx, service.address)
  const responded = await merchant.post('/v1/verifications', {
    template: 'age_over_18',
    webhook_url: 'https://8.8.8.8/hook',
    metadata: { order: '17' },
  })
  await wallet.respond(responded.body.wallet_uri)
  const keyed = await merchant.post('/v1/verifications', keyedRequest.body, keyedRequest.options)
  await setIdentity(service.ctx, { tenant_id: merchant.tenant_id, certificate: newAccessCertificate() })
  const open = await merchant.post('/v1/verifications', { template: 'own', purpose: 'still open' })
  return { ...merchant, tokens, sent: responded.body.id, open: open.body, keyed: keyed.body.id }
}
