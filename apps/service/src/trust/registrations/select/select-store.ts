import type { RegistrationPolicy } from '@vidimus/contract'
import { type Db, type AsOf, oneOf, queryWithAsOf } from '../../../engine/db/index.ts'
import { sql } from '../../../engine/db/sql.ts'

export type SelectableRow = {
  tenant_id: string
  id: string
  is_default: boolean
  /** The hash of its verifier_info in the tenant's encoding. */
  info: Buffer
  policy: RegistrationPolicy
  templates: string[]
}

/** What new verifications of these tenants can be requested under: registrations that are the default or that a template names. */
export async function readSelectable(
  db: Db,
  tenantIds: string[],
  { maxTemplates }: { maxTemplates: number },
): Promise<{ asOf: AsOf; rows: SelectableRow[] }> {
  return queryWithAsOf<SelectableRow>(
    db,
    sql`
    select r.tenant_id, r.id, r.is_default,
      case when s.encoding = 'jwt' then r.info_jwt else r.info_base64url end as info,
      coalesce(s.policy, 'warn') as policy,
      array(
        select t.template from template_registrations t
        where t.tenant_id = r.tenant_id and t.registration_id = r.id
        limit ${maxTemplates}) as templates
    from registrations r
    left join registration_settings s on s.tenant_id = r.tenant_id
    where r.tenant_id = ${oneOf(sql`${tenantIds}::uuid[]`)}`,
  )
}
