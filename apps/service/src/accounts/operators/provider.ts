import { z } from 'zod'
import type { OperatorSignInMethods } from '@vidimus/contract'
import { type OperatorPrincipal, Refusal } from '../../engine/basics/index.ts'
import type { Db } from '../../engine/db/index.ts'
import type { AddressKey } from '../../engine/limits/index.ts'
import type { AccountsContext } from '../context.ts'
import { signInFailed } from '../sign-in/challenge.ts'
import { limitAttempts } from '../sign-in/limit-attempts.ts'
import {
  type FlowKind,
  type ProviderIdentity,
  exchangeCode,
  spendFlow,
  startFlow,
  unsealFlow,
} from '../sign-in/provider/flow.ts'
import { markConfirmed } from './session-store.ts'
import { hashOf, openSession, redeemInvitation, requireInvitation } from './sign-in.ts'
import { findOperator, linkIdentity, lockByIdentity } from './store.ts'

/** The hash of a session. The provider's redirect comes from another site, so that the browser does not send the session's cookie. */
const SessionHash = z.hex().length(64)

const Carried = z.discriminatedUnion('for', [
  z.strictObject({ for: z.literal('sign_in'), return_to: z.string(), previous: SessionHash.optional() }),
  z.strictObject({ for: z.literal('invitation'), token: z.string(), previous: SessionHash.optional() }),
  z.strictObject({
    for: z.literal('confirmation'),
    return_to: z.string(),
    operator_id: z.uuid(),
    session: SessionHash,
  }),
])
type Carried = z.infer<typeof Carried>

type Ctx = Pick<AccountsContext, 'config' | 'db' | 'keyring' | 'ledger' | 'log' | 'operatorOidc'>

/** An operator's sign-in. */
function operatorFlow({ config }: Pick<Ctx, 'config'>): FlowKind<Carried> {
  return {
    purpose: 'operator oidc flow',
    redirect_uri: `${config.OPERATOR_URL}/operator/v1/sign-in/oidc/callback`,
    carried: Carried,
  }
}

const home = '/console/'

export function operatorSignInMethods({ operatorOidc }: Pick<Ctx, 'operatorOidc'>): OperatorSignInMethods {
  if (operatorOidc === undefined) return { oidc: false }
  return { oidc: true, oidc_host: new URL(operatorOidc.issuer).host }
}

/** Where to send the browser, and the sealed state for its cookie. */
export type StartedFlow = { location: string; flow: string }

export async function startProviderSignIn(
  ctx: Ctx,
  { return_to = home, session }: { return_to?: string | undefined; session: string | undefined },
): Promise<StartedFlow> {
  return start(ctx, { for: 'sign_in', return_to, ...previousOf(session) })
}

/** For a browser that holds an invitation. Who signs in at the provider then becomes its operator, whatever their address there. */
export async function startProviderAcceptance(
  ctx: Ctx,
  { token, session }: { token: string; session: string | undefined },
): Promise<StartedFlow> {
  if (ctx.operatorOidc !== undefined) await requireInvitation(ctx.db, token)
  return start(ctx, { for: 'invitation', token, ...previousOf(session) })
}

/** A new sign-in at the provider, in place of the passkey that the operator does not have. */
export async function startProviderConfirmation(
  ctx: Ctx,
  {
    operator: { operator_id },
    return_to = home,
    session,
  }: { operator: OperatorPrincipal; return_to?: string | undefined; session: string },
): Promise<StartedFlow> {
  if (((await findOperator(ctx.db, operator_id))?.passkeys ?? 0) > 0) throw passkeyRequired()
  return start(ctx, {
    for: 'confirmation',
    return_to,
    operator_id,
    session: hashOf(session)?.toString('hex') ?? '',
  })
}

function start(ctx: Ctx, carried: Carried): Promise<StartedFlow> {
  return startFlow(ctx, {
    provider: ctx.operatorOidc,
    kind: operatorFlow(ctx),
    fresh: carried.for === 'confirmation',
    carried,
  })
}

function previousOf(session: string | undefined): { previous?: string } {
  const previous = hashOf(session)
  return previous === undefined ? {} : { previous: previous.toString('hex') }
}

export type FinishProvider = {
  /** Path and query of the callback request. */
  url: string
  flow: string | undefined
  address: AddressKey
}

/** Signs in the operator with the provider's identity, binds it to that of an invitation, or confirms. Works once. */
export async function finishAtProvider(
  ctx: Ctx,
  { url, flow: sealed, address }: FinishProvider,
): Promise<{ session?: string; return_to: string }> {
  return limitAttempts(ctx, { address, method: 'oidc' }, async () => {
    const flow = await unsealFlow(ctx, operatorFlow(ctx), sealed)
    if (flow === undefined) throw signInFailed()
    const callback = new URL(`${ctx.config.OPERATOR_URL}${url}`)
    const identity = await exchangeCode(ctx, { provider: ctx.operatorOidc, flow, url: callback })
    if (identity === undefined) throw signInFailed()
    const { carried } = flow
    return ctx.db.transaction(async (tx) => {
      if (!(await spendFlow(tx, flow))) throw signInFailed()
      if (carried.for === 'invitation') return accept(ctx, tx, { identity, carried })
      const id = await lockByIdentity(tx, identity)
      const row = id === undefined ? undefined : await findOperator(tx, id)
      if (row === undefined) throw signInFailed()
      const { return_to } = carried
      if (carried.for === 'sign_in') {
        const previous = fromHex(carried.previous)
        const how = { method: 'oidc', confirmed: false, previous, ended: [] } as const
        return { session: await openSession(ctx, tx, { row, ...how }), return_to }
      }
      if (row.passkeys > 0) throw passkeyRequired()
      const { operator_id, session } = carried
      const confirmed =
        row.id === operator_id &&
        (await markConfirmed(tx, { operator_id, token_hash: Buffer.from(session, 'hex') }))
      if (!confirmed) throw signInFailed()
      return { return_to }
    })
  })
}

type Acceptance = { identity: ProviderIdentity; carried: Extract<Carried, { for: 'invitation' }> }

async function accept(
  ctx: Ctx,
  tx: Db,
  { identity, carried: { token, previous } }: Acceptance,
): Promise<{ session: string; return_to: string }> {
  const { id } = await requireInvitation(tx, token)
  const { row, ended } = await redeemInvitation(tx, { id, token, method: 'oidc' })
  if (!(await linkIdentity(tx, { id, ...identity })))
    throw new Refusal(
      'sign_in_failed',
      'This invitation and this provider account belong to different operators.',
    )
  const how = { method: 'oidc', confirmed: false, previous: fromHex(previous), ended } as const
  return { session: await openSession(ctx, tx, { row, ...how }), return_to: home }
}

function fromHex(hash: string | undefined): Buffer | undefined {
  return hash === undefined ? undefined : Buffer.from(hash, 'hex')
}

function passkeyRequired(): Refusal {
  return new Refusal('confirmation_required', 'Confirm with your passkey.')
}
