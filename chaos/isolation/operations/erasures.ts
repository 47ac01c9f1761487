import { dayOfVerificationId } from '../../../apps/service/src/engine/basics/index.ts'
import { readErasureCode, writeErasureCode } from '../../../apps/service/src/holder/erasure/erasure-code.ts'
import { erasureAddress, setHolderPage } from '../../../apps/service/src/accounts/tenants/holder-page.ts'
import { isErasureTemplate } from '../../../apps/service/src/accounts/tenants/settings-store.ts'
import {
  insertErasureRequest,
  readErasureRequests,
  readIdentifyingClaims,
  refuseStored,
} from '../../../apps/service/src/verifications/erasure-requests/store.ts'
import { caller } from '../../../apps/service/test/caller.ts'
import { expectEqual } from '../expect-equal.ts'
import { expectUnchanged } from '../expect-unchanged.ts'
import type { IsolationFixture } from '../fixture/isolation-fixture.ts'

const environment = 'test' as const

/**
 * `GET /verify/{id}/card`, `GET /erase/{tenant}` and `POST /erase/{tenant}` are pages without a caller: with the code of one tenant's
 * verification nothing happens at another's page, and a card without its browser's proof has no code. The store is asked alone, too, also
 * for the results with which a holder without a code is compared.
 */
export async function askForErasures(fixture: IsolationFixture): Promise<string[]> {
  const { service, victim, otherTenant, newTenant } = fixture
  const { ctx } = service
  const anonymous = caller(service.address)
  const { id } = victim.verifications.expired
  const theirs = { tenant_id: victim.merchant.tenant_id, id }
  const ours = { tenant_id: otherTenant.merchant.tenant_id }
  const code = await writeErasureCode(ctx.keyring, theirs)
  const by = { kind: 'operator', ...ours } as const
  const erasure_template = 'identity_basic'
  await setHolderPage(ctx, { by, holder_erasure: 'automatic', erasure_template })
  const page = new URL(erasureAddress(ctx, ours)).pathname
  const post = (entered: string) =>
    anonymous.request('POST', page, {
      raw: new URLSearchParams({ code: entered }).toString(),
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    })
  const faults = await expectUnchanged(service, async () => {
    const [foreign, unknown] = [await post(code), await post('unknown')]
    const shown = [foreign, unknown].map(
      ({ status, text }) => `${status} ${text.replace(/er_[\w-]{22}/, '')}`,
    )
    const card = await anonymous.get(`/verify/${id}/card`)
    return [
      ...expectEqual('a code of another tenant', shown[0], shown[1]),
      ...expectEqual('whose code it is', await readErasureCode(ctx.keyring, { ...ours, code }), undefined),
      ...expectEqual('the card of a tenant that takes no requests', card.status, 404),
      ...expectEqual('the form', (await anonymous.get(`${page}?code=${code}`)).status, 200),
      ...(await askStore(fixture, { ...theirs, foreign: newTenant.tenant_id })),
      ...(await readToCompare(fixture, { ...theirs, foreign: newTenant.tenant_id })),
      ...expectEqual(
        'whose template it is',
        await Promise.all(
          [ours, theirs].map(({ tenant_id }) =>
            isErasureTemplate(ctx.db, { tenant_id, key: erasure_template }),
          ),
        ),
        [true, false],
      ),
    ]
  })
  await setHolderPage(ctx, { by, holder_erasure: 'off', erasure_template: null })
  return faults
}

async function readToCompare(
  { service, victim }: IsolationFixture,
  { tenant_id, foreign }: { tenant_id: string; foreign: string },
): Promise<string[]> {
  const { id } = victim.verifications.completed
  const finds = async (of: { tenant_id: string; environment: 'test' | 'live' }) => {
    const read = { ...of, before: 'infinity', elements: ['family_name'] }
    const rows = await readIdentifyingClaims(service.ctx.db, dayOfVerificationId(id) ?? '', read)
    return rows.some((row) => row.id === id)
  }
  return [
    ...expectEqual('own results', await finds({ tenant_id, environment }), true),
    ...expectEqual("another's results", await finds({ tenant_id: foreign, environment }), false),
    ...expectEqual('results in live', await finds({ tenant_id, environment: 'live' }), false),
  ]
}

async function askStore(
  { service }: IsolationFixture,
  { tenant_id, id, foreign }: { tenant_id: string; id: string; foreign: string },
): Promise<string[]> {
  const { db } = service.ctx
  const day = dayOfVerificationId(id) ?? ''
  const asked = { day, id, reference_hash: Buffer.alloc(32), at_once: false }
  const page = { environment, refused: false, after: undefined, limit: 10 }
  const key = { tenant_id: foreign, environment, id }
  return [
    ...expectEqual('asking', await insertErasureRequest(db, { ...asked, tenant_id: foreign }), false),
    ...expectEqual('asking again', await insertErasureRequest(db, { ...asked, tenant_id }), true),
    ...expectEqual('its requests', await readErasureRequests(db, { ...page, tenant_id: foreign }), []),
    ...expectEqual('refusing', await refuseStored(db, key), undefined),
    ...expectEqual(
      'refusing in live',
      await refuseStored(db, { ...key, tenant_id, environment: 'live' }),
      undefined,
    ),
  ]
}
