import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { frontEndFolder } from '../../app.ts'
import type { ServiceContext } from '../../context.ts'
import { inviteMember } from '../../../accounts/index.ts'

/** The dashboard user in development. Each link adds a sign-in method for the same member. */
const email = 'dev@example.com'

/** A sign-in link for the dashboard that works once, or how to build the dashboard. */
export async function createSignInLink(
  ctx: ServiceContext,
  tenant_id: string,
  folder = frontEndFolder('dashboard'),
): Promise<string> {
  if (!existsSync(join(folder, 'index.html'))) return 'not built; run `npm run build` and start again'
  const { link } = await inviteMember(ctx, { by: { kind: 'operator', tenant_id }, email, role: 'owner' })
  return `${link} (works once)`
}
