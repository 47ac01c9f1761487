import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { caller } from '../../../../test/caller.ts'
import { startProcesses } from '../../../../test/processes/processes.ts'
import { newAccessCertificate } from '../../../../test/trust/access-certificate.ts'
import { putTemplate } from '../../../templates/put-template.ts'
import { readBuiltInTemplates } from '../../../templates/built-in/read-built-in.ts'
import { setPolicies } from '../../../accounts/tenants/tenant-settings.ts'
import { setIdentity } from '../../../trust/identity/set-identity.ts'
import { sql } from '../sql.ts'

const withProbes = fileURLToPath(new URL('../../../../test/serve-probes.ts', import.meta.url))

test('[GEN-14] a scope, a template, a certificate and a policy that were changed apply to the next request on every process', async () => {
  await using service = await startProcesses(2, { run: withProbes })
  const { ctx } = service
  const merchant = await service.tenant()
  const { tenant_id } = merchant
  const by = { kind: 'operator', tenant_id } as const
  const everywhere = async <Result>(call: (address: string) => Promise<Result>) =>
    Promise.all(service.processes.map(({ address }) => call(address)))
  const create = async (body: object) => {
    const responses = await everywhere((address) =>
      caller(address, merchant.key).post('/v1/verifications', body),
    )
    return responses.map((response): { id: string; wallet_uri: string } => response.body)
  }
  const putVariant = (name: string) =>
    putTemplate(ctx, {
      by,
      key: 'own',
      template: { ...readBuiltInTemplates().get('age_over_18'), name },
    })
  const versionOf = async (id: string) => {
    const [row] = await ctx.db.query<{ name: string }>(sql`
      select v.body ->> 'name' as name from verification_sessions s
      join template_versions v on v.hash = s.template_version where s.id = ${id}`)
    return row?.name
  }

  for (let round = 0; round < 3; round += 1) {
    await putVariant(`variant ${round}`)
    const created = await create({ template: 'own' })
    expect(await Promise.all(created.map(({ id }) => versionOf(id)))).toEqual(
      created.map(() => `variant ${round}`),
    )

    const certificate = newAccessCertificate()
    await setIdentity(ctx, { tenant_id, certificate })
    const withCertificate = await create({ template: 'own' })
    expect(
      withCertificate.map(({ wallet_uri }) => new URL(wallet_uri).searchParams.get('client_id')),
    ).toEqual(withCertificate.map(() => certificate.client_id))

    // While results are held back, a verification with a redirect has no request for a QR code.
    const [verification] = await create({ template: 'own', redirect_url: 'https://shop.example/back' })
    const path = `/wallet/request/${verification?.id}?via=screen`
    for (const hold_back of [false, true, false]) {
      await setPolicies(ctx, { tenant_id, hold_back })
      const requests = await everywhere((address) => caller(address).get(path))
      expect(requests.map(({ status }) => status)).toEqual(requests.map(() => (hold_back ? 404 : 200)))
    }

    const { key, key_id } = await merchant.as({ scopes: ['verifications:read'] })
    const probe = () => everywhere(async (address) => (await caller(address, key).get('/v1/probe')).status)
    expect(await probe()).toEqual([200, 200])
    await ctx.db.execute(sql`
      update api_keys set scopes = '{verifications:delete}' where tenant_id = ${tenant_id} and id = ${key_id}`)
    expect(await probe()).toEqual([403, 403])
  }
})
