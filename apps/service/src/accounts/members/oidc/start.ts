import { z } from 'zod'
import type { AccountsContext } from '../../context.ts'
import { type FlowKind, startFlow } from '../../sign-in/provider/flow.ts'
import { requireInvitation } from '../invitations/accept-invitation.ts'

const Carried = z.strictObject({
  return_to: z.string(),
  invitation: z.strictObject({ token: z.string(), name: z.string() }).optional(),
})

/** A member's sign-in. */
export function memberFlow({ config }: Pick<AccountsContext, 'config'>): FlowKind<z.infer<typeof Carried>> {
  return {
    purpose: 'oidc flow',
    redirect_uri: `${config.BASE_URL}/dashboard/api/sign-in/oidc/callback`,
    carried: Carried,
  }
}

export type StartOidc = {
  return_to?: string | undefined
  fresh?: boolean | undefined
  invitation?: { token: string; name: string }
}

/** Where to send the browser, and the sealed state for its cookie. */
export async function startOidc(
  ctx: Pick<AccountsContext, 'config' | 'db' | 'keyring' | 'oidc' | 'log'>,
  { return_to = '/dashboard', fresh = false, invitation }: StartOidc,
): Promise<{ location: string; flow: string }> {
  if (ctx.oidc !== undefined && invitation !== undefined) await requireInvitation(ctx, invitation.token)
  return startFlow(ctx, {
    provider: ctx.oidc,
    kind: memberFlow(ctx),
    fresh,
    carried: { return_to, ...(invitation !== undefined && { invitation }) },
  })
}
