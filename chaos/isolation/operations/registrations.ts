import { getRegistration } from '../../../apps/service/src/trust/registrations/list-registrations.ts'
import { selectRegistration } from '../../../apps/service/src/trust/registrations/select/select.ts'
import { setRegistrationSettings } from '../../../apps/service/src/trust/registrations/settings.ts'
import {
  findByInfo,
  findCertificate,
  findRegistration,
  putAssignment,
} from '../../../apps/service/src/trust/registrations/store.ts'
import { readVerifierInfo } from '../../../apps/service/src/trust/identity/get-identity.ts'
import { expectEqual } from '../expect-equal.ts'
import { sharedNames, type TenantFixture } from '../fixture/tenant-fixture.ts'
import type { IsolationFixture } from '../fixture/isolation-fixture.ts'

/** New verifications carry the registration of their own tenant in its own encoding, and stores find no registration of another. */
export async function selectRegistrations({
  service,
  victim,
  otherTenant,
}: IsolationFixture): Promise<string[]> {
  const { ctx } = service
  const select = async ({ merchant: { tenant_id } }: TenantFixture, encoding: 'base64url' | 'jwt') => {
    await setRegistrationSettings(ctx, { by: { kind: 'operator', tenant_id }, encoding })
    return async () => {
      const selected = await selectRegistration(ctx, { tenant_id, template: sharedNames.template })
      if (selected === undefined) return ['nothing was selected']
      const { verifier_info } = await getRegistration(ctx, { tenant_id, id: selected.id })
      return expectEqual(
        `what ${tenant_id} carries`,
        await readVerifierInfo(ctx, selected.info),
        verifier_info,
      )
    }
  }
  const checks = [await select(victim, 'base64url'), await select(otherTenant, 'jwt')]
  const { tenant_id } = otherTenant.merchant
  const { id } = victim.registration
  const key = { tenant_id, id }
  const certificate = await findCertificate(ctx.db, { tenant_id: victim.merchant.tenant_id, id })
  return [
    ...(await Promise.all(checks.map((check) => check()))).flat(),
    ...expectEqual(
      "another's registration",
      [
        await findRegistration(ctx.db, key),
        await findCertificate(ctx.db, key),
        await findByInfo(ctx.db, { tenant_id, info: certificate?.info_jwt ?? Buffer.of() }),
        await putAssignment(ctx.db, { ...key, template: sharedNames.template }),
      ],
      [undefined, undefined, undefined, false],
    ),
  ]
}
