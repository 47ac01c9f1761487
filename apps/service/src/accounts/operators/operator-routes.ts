import { operatorRoutes as routes } from '@vidimus/contract'
import { byOperator } from '../../audit/index.ts'
import { type OperatorPrincipal, Refusal } from '../../engine/basics/index.ts'
import { clearCookie, readCookie, writeCookie } from '../../engine/formats/index.ts'
import { type OperatorCall, type OperatorEndpoint, operatorEndpoint } from '../../engine/http/index.ts'
import type { AccountsContext } from '../context.ts'
import { flowLifetime_seconds } from '../sign-in/provider/flow.ts'
import { type OperatorSession, getMe, signOut, signOutEverywhere } from './me.ts'
import {
  addOperator,
  changeOperatorRole,
  inviteOperator,
  listOperators,
  removeOperator,
} from './operators.ts'
import { addPasskey, confirm, removePasskey, startConfirmation, startPasskey } from './passkeys.ts'
import {
  type StartedFlow,
  finishAtProvider,
  operatorSignInMethods,
  startProviderAcceptance,
  startProviderConfirmation,
  startProviderSignIn,
} from './provider.ts'
import { acceptInvitation, finishSignIn, readInvitation, startInvitation, startSignIn } from './sign-in.ts'
import { operatorSession_hours } from './session-store.ts'
import { createToken, listTokens, revokeOperatorToken } from './tokens.ts'

/** Sign-in, the operator's own account, the other operators and tokens. */
export function operatorAccountRoutes(ctx: AccountsContext): OperatorEndpoint[] {
  // The cookie is for the console's host.
  const cookies = { BASE_URL: ctx.config.OPERATOR_URL }
  const sessionToken = ({ header }: Pick<OperatorCall, 'header'>) =>
    readCookie(cookies, 'operator', header('cookie'))
  const callerOf = (
    call: Pick<OperatorCall, 'header'> & { operator: OperatorPrincipal },
  ): OperatorSession => ({
    operator: call.operator,
    session: sessionToken(call) ?? '',
  })
  const clientOf = (call: Pick<OperatorCall, 'header' | 'address'>) => ({
    address: call.address,
    previousSession: sessionToken(call),
  })
  const sessionCookie = (value: string) =>
    writeCookie(cookies, 'operator', { value, max_age_seconds: operatorSession_hours * 3600 })
  const signedIn = (token: string) => ({ body: {}, headers: { 'set-cookie': sessionCookie(token) } })
  const toProvider = ({ location, flow }: StartedFlow) => {
    const cookie = { value: flow, max_age_seconds: flowLifetime_seconds }
    return { body: { location }, headers: { 'set-cookie': writeCookie(cookies, 'operator_oidc', cookie) } }
  }
  const finishOidc = async ({ header, url, address }: Pick<OperatorCall, 'header' | 'url' | 'address'>) => {
    const flow = readCookie(cookies, 'operator_oidc', header('cookie'))
    const clearFlow = clearCookie(cookies, 'operator_oidc')
    const redirect = (location: string, more: string[] = []) => ({
      text: '',
      headers: { location, 'set-cookie': [clearFlow, ...more] },
    })
    try {
      const { session, return_to } = await finishAtProvider(ctx, { url, flow, address })
      return redirect(return_to, session === undefined ? [] : [sessionCookie(session)])
    } catch (error) {
      // The browser is being redirected to a page, which shows the refusal.
      if (!(error instanceof Refusal)) throw error
      return redirect(`/console/sign-in?error=${error.code}`)
    }
  }
  const signedOut = {
    body: {},
    // Also what the back button would show.
    headers: { 'set-cookie': clearCookie(cookies, 'operator'), 'clear-site-data': '"cache"' },
  }

  return [
    operatorEndpoint(routes.getSignIn, async () => ({ body: operatorSignInMethods(ctx) })),
    operatorEndpoint(routes.startSignIn, async () => ({ body: await startSignIn(ctx) })),
    operatorEndpoint(routes.finishSignIn, async (call) =>
      signedIn(await finishSignIn(ctx, { ...call.body, ...clientOf(call) })),
    ),
    operatorEndpoint(routes.startOidcSignIn, async (call) =>
      toProvider(await startProviderSignIn(ctx, { ...call.body, session: sessionToken(call) })),
    ),
    operatorEndpoint(routes.finishOidc, finishOidc),
    operatorEndpoint(routes.readInvitation, async ({ body }) => ({
      body: await readInvitation(ctx, body.token),
    })),
    operatorEndpoint(routes.startInvitation, async ({ body }) => ({
      body: await startInvitation(ctx, body.token),
    })),
    operatorEndpoint(routes.acceptInvitation, async (call) =>
      signedIn(await acceptInvitation(ctx, { ...call.body, ...clientOf(call) })),
    ),
    operatorEndpoint(routes.acceptWithOidc, async (call) =>
      toProvider(await startProviderAcceptance(ctx, { ...call.body, session: sessionToken(call) })),
    ),
    operatorEndpoint(routes.getMe, async (call) => {
      const session = call.header('authorization') === undefined ? sessionToken(call) : undefined
      return { body: await getMe(ctx, { operator: call.operator, session }) }
    }),
    operatorEndpoint(routes.startConfirmation, async ({ operator }) => ({
      body: await startConfirmation(ctx, operator),
    })),
    operatorEndpoint(routes.confirm, async (call) => ({
      body: await confirm(ctx, callerOf(call), { ...call.body, address: call.address }),
    })),
    operatorEndpoint(routes.startOidcConfirmation, async (call) =>
      toProvider(await startProviderConfirmation(ctx, { ...call.body, ...callerOf(call) })),
    ),
    operatorEndpoint(routes.startPasskey, async ({ operator }) => ({
      body: await startPasskey(ctx, operator),
    })),
    operatorEndpoint(routes.addPasskey, async (call) => ({
      body: await addPasskey(ctx, callerOf(call), call.body),
    })),
    operatorEndpoint(routes.removePasskey, async (call) => ({
      body: await removePasskey(ctx, callerOf(call), call.params.id),
    })),
    operatorEndpoint(routes.signOut, async (call) => {
      await signOut(ctx, { operator: call.operator, session: sessionToken(call) })
      return signedOut
    }),
    operatorEndpoint(routes.signOutEverywhere, async ({ operator }) => {
      await signOutEverywhere(ctx, operator)
      return signedOut
    }),
    operatorEndpoint(routes.listOperators, async ({ operator }) => ({
      body: { data: await listOperators(ctx, operator.operator_id) },
    })),
    operatorEndpoint(routes.addOperator, async ({ operator, body: { reason, ...added } }) => ({
      body: await addOperator(ctx, { by: byOperator(operator, reason), ...added }),
    })),
    operatorEndpoint(routes.inviteOperator, async ({ operator, params }) => ({
      body: await inviteOperator(ctx, { by: byOperator(operator), id: params.id }),
    })),
    operatorEndpoint(routes.changeOperatorRole, async ({ operator, params, body: { role, reason } }) => ({
      body: await changeOperatorRole(ctx, { by: byOperator(operator, reason), id: params.id, role }),
    })),
    operatorEndpoint(routes.removeOperator, async ({ operator, params }) => ({
      body: await removeOperator(ctx, { by: byOperator(operator), id: params.id }),
    })),
    operatorEndpoint(routes.listTokens, async ({ operator }) => ({
      body: { data: await listTokens(ctx, operator) },
    })),
    operatorEndpoint(routes.createToken, async ({ operator, body }) => ({
      body: await createToken(ctx, operator, body),
    })),
    operatorEndpoint(routes.revokeToken, async ({ operator, params }) => ({
      body: await revokeOperatorToken(ctx, operator, params.id),
    })),
  ]
}
