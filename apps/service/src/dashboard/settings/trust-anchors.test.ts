import { afterAll, beforeAll, expect, test } from 'vitest'
import { readAuditLog } from '../../../test/audit/audit.ts'
import { startService, type Merchant, type Service } from '../../../test/service.ts'
import { signIn, type SignedInBrowser } from '../../../test/sign-in/browser.ts'
import { newAuthority, joinPem } from '../../../test/trust/authorities.ts'
import { addAnchors } from '../../trust/anchors/add-anchor.ts'
import { maxAnchorPage } from '../../trust/anchors/list-anchors.ts'

let service: Service
let merchant: Merchant
let owner: SignedInBrowser
let stranger: SignedInBrowser
beforeAll(async () => {
  service = await startService()
  merchant = await service.tenant()
  owner = await signIn(service, merchant)
  stranger = await signIn(service, await service.tenant())
})
afterAll(() => service[Symbol.asyncDispose]())

const here = { environment: 'test' }

test('members see whom the service trusts, with role, operator and source, page by page', async () => {
  const list = async (environment: 'test' | 'live', after?: string) =>
    (
      await owner.call('listServiceAnchors', {
        params: { environment },
        ...(after !== undefined && { query: { after } }),
      })
    ).body
  const sandbox = await list('test')
  expect(sandbox.data[0]).toMatchObject({ role: 'issuing', source: 'sandbox', expired: false })
  expect((await list('live')).data).toEqual([])

  const authorities = Array.from({ length: maxAnchorPage + 1 }, (_, n) => newAuthority(`Root ${n}`))
  for (const [n, { certificate }] of authorities.entries())
    await addAnchors(service.ctx, {
      environment: 'live',
      pem: joinPem(certificate),
      ...(n === 0 && { role: 'revocation', entity: 'Example Agency' }),
    })
  const first = await list('live')
  expect(first.data).toHaveLength(maxAnchorPage)
  expect(first.data[0]).toMatchObject({
    subject: expect.stringContaining('Root 0'),
    role: 'revocation',
    entity: 'Example Agency',
    source: 'operator',
  })
  const second = await list('live', first.next_after)
  expect(second).toMatchObject({ data: [{ subject: expect.stringContaining(`Root ${maxAnchorPage}`) }] })
  expect(second).not.toHaveProperty('next_after')
  const unknown = await owner.call('listServiceAnchors', {
    params: { environment: 'live' },
    query: { after: '1; drop' },
  })
  expect(unknown.status).toBe(400)
})

test("[TRUST-1] a member previews, adds and removes the tenant's own anchors, and is named in the audit log", async () => {
  const { certificate } = newAuthority('Partner Root')
  const body = { pem: joinPem(certificate) }
  const read = await owner.call('readAnchors', { params: here, body })
  expect(read.body.data).toMatchObject([{ subject: expect.stringContaining('Partner Root') }])
  const [{ fingerprint }] = read.body.data
  expect((await owner.call('getSettings')).body.own_trust).toEqual({ policy: 'all', anchors: [] })
  expect((await owner.call('readAnchors', { params: here, body: { pem: 'x' } })).status).toBe(400)

  const added = await owner.call('addAnchors', { params: here, body })
  expect(added.body.own_trust.anchors).toMatchObject([{ fingerprint, environment: 'test' }])
  expect((await stranger.call('getSettings')).body.own_trust.anchors).toEqual([])
  const theirs = await stranger.call('removeAnchor', { params: { ...here, fingerprint } })
  expect(theirs.body.error.code).toBe('anchor_not_found')
  const live = await owner.call('removeAnchor', { params: { environment: 'live', fingerprint } })
  expect(live.status).toBe(404)
  const chosen = await owner.call('changeTrustPolicy', { body: { policy: 'own' } })
  expect(chosen.body.own_trust.policy).toBe('own')
  const removed = await owner.call('removeAnchor', { params: { ...here, fingerprint } })
  expect(removed.body.own_trust).toEqual({ policy: 'own', anchors: [] })
  await owner.call('changeTrustPolicy', { body: { policy: 'all' } })

  const entries = await readAuditLog(service.ctx, merchant.tenant_id)
  const trustEntries = entries.filter(({ action }) => action === 'tenant.trust_changed')
  const { member } = (await owner.call('getMe')).body
  expect(trustEntries.map(({ actor }) => actor)).toEqual(
    Array.from({ length: 4 }, () => `member:${member.id}`),
  )
})
