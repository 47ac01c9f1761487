import { dashboardRoutes as routes } from '@vidimus/contract'
import type { AccountsContext } from '../context.ts'
import { type DashboardCall, type DashboardEndpoint, dashboardEndpoint } from '../../engine/http/index.ts'
import { clearCookie, readCookie, writeCookie } from '../../engine/formats/index.ts'
import { type Member, Refusal } from '../../engine/basics/index.ts'
import { flowLifetime_seconds } from '../sign-in/provider/flow.ts'
import { inviteMember } from './invitations/invite.ts'
import { changeMe, getMe, type MemberSession } from './me.ts'
import { finishOidc, UnknownIdentity } from './oidc/finish.ts'
import { type StartOidc, startOidc } from './oidc/start.ts'
import { acceptWithPasskey, startPasskeyOfInvitation } from './passkeys/accept-invitation.ts'
import { confirmWithPasskey, startConfirmation } from './passkeys/confirm.ts'
import { addPasskey, removePasskey, startPasskey } from './passkeys/manage.ts'
import { finishPasskeySignIn, startPasskeySignIn } from './passkeys/sign-in.ts'
import { describeBrowser, signInMethods } from './sessions/open-session.ts'
import { cookiesAfterSignIn, cookiesAfterSwitch } from './sessions/session-cookies.ts'
import { readInvitation } from './invitations/accept-invitation.ts'
import { endSession, signOut, signOutEverywhere } from './sessions/sign-out.ts'
import { endSupport, grantSupport } from '../support/support-access.ts'
import { requestSignUp } from './sign-ups/request-sign-up.ts'
import { listTeam, withdrawInvitation } from './team.ts'

export function memberRoutes(ctx: AccountsContext): DashboardEndpoint[] {
  const { config } = ctx
  const sessionToken = ({ header }: Pick<DashboardCall, 'header'>) =>
    readCookie(config, 'session', header('cookie'))
  const clientOf = (call: Pick<DashboardCall, 'header' | 'address'>) => ({
    address: call.address,
    previousSession: sessionToken(call),
    browser: describeBrowser(call.header('user-agent')),
  })
  const signedInResponse = (token: string, { header }: Pick<DashboardCall, 'header'>) => ({
    body: {},
    headers: { 'set-cookie': cookiesAfterSignIn(config, token, header('cookie')) },
  })
  const signedOutResponse = {
    body: {},
    headers: {
      'set-cookie': clearCookie(config, 'session'),
      // Also what the back button would show. Not "cookies", which are those of the whole domain, nor "storage", where a till keeps its tokens.
      'clear-site-data': '"cache"',
    },
  }
  const callerOf = (call: Pick<DashboardCall, 'header'> & { member: Member }): MemberSession => ({
    member: call.member,
    session: sessionToken(call) ?? '',
  })
  const redirectToProvider = async (start: StartOidc) => {
    const { location, flow } = await startOidc(ctx, start)
    const cookie = writeCookie(config, 'oidc', { value: flow, max_age_seconds: flowLifetime_seconds })
    return { body: { location }, headers: { 'set-cookie': cookie } }
  }

  return [
    dashboardEndpoint(routes.getSignIn, async () => ({ body: signInMethods(ctx) })),
    dashboardEndpoint(routes.startPasskeySignIn, async () => ({
      body: { options: { ...(await startPasskeySignIn(ctx)) } },
    })),
    dashboardEndpoint(routes.finishPasskeySignIn, async (call) =>
      signedInResponse(await finishPasskeySignIn(ctx, { ...call.body, ...clientOf(call) }), call),
    ),
    dashboardEndpoint(routes.startOidcSignIn, ({ body }) => redirectToProvider(body)),
    dashboardEndpoint(routes.finishOidc, async (call) => {
      const flow = readCookie(config, 'oidc', call.header('cookie'))
      const clearFlow = clearCookie(config, 'oidc')
      try {
        const { session, return_to } = await finishOidc(ctx, {
          url: call.url,
          flow,
          ...clientOf(call),
        })
        const cookies = cookiesAfterSignIn(config, session, call.header('cookie'))
        return { text: '', headers: { location: return_to, 'set-cookie': [clearFlow, ...cookies] } }
      } catch (error) {
        // The browser is being redirected to a page, which shows the refusal.
        if (!(error instanceof Refusal)) throw error
        const elsewhere =
          error instanceof UnknownIdentity && config.CELLS !== undefined ? '&elsewhere=maybe' : ''
        return {
          text: '',
          headers: {
            location: `/dashboard/sign-in?error=${error.code}${elsewhere}`,
            'set-cookie': clearFlow,
          },
        }
      }
    }),
    dashboardEndpoint(routes.requestSignUp, async ({ body, address }) => {
      await requestSignUp(ctx, { ...body, address })
      return { body: {} }
    }),
    dashboardEndpoint(routes.readInvitation, async ({ body }) => ({
      body: await readInvitation(ctx, body.token),
    })),
    dashboardEndpoint(routes.startPasskeyOfInvitation, async ({ body }) => ({
      body: await startPasskeyOfInvitation(ctx, body),
    })),
    dashboardEndpoint(routes.acceptWithPasskey, async (call) =>
      signedInResponse(await acceptWithPasskey(ctx, { ...call.body, ...clientOf(call) }), call),
    ),
    dashboardEndpoint(routes.acceptWithOidc, ({ body }) => redirectToProvider({ invitation: body })),
    dashboardEndpoint(routes.getMe, async (call) => ({ body: await getMe(ctx, callerOf(call)) })),
    dashboardEndpoint(routes.changeMe, async (call) => ({
      body: await changeMe(ctx, callerOf(call), call.body),
    })),
    dashboardEndpoint(routes.startPasskey, async (call) => ({
      body: await startPasskey(ctx, callerOf(call)),
    })),
    dashboardEndpoint(routes.startConfirmation, async ({ member }) => ({
      body: await startConfirmation(ctx, member),
    })),
    dashboardEndpoint(routes.confirmWithPasskey, async (call) => ({
      body: await confirmWithPasskey(ctx, callerOf(call), { ...call.body, address: clientOf(call).address }),
    })),
    dashboardEndpoint(routes.addPasskey, async (call) => ({
      body: await addPasskey(ctx, callerOf(call), call.body),
    })),
    dashboardEndpoint(routes.removePasskey, async (call) => ({
      body: await removePasskey(ctx, callerOf(call), call.params.id),
    })),
    dashboardEndpoint(routes.signOut, async (call) => {
      await signOut(ctx, { member: call.member, session: sessionToken(call) })
      return signedOutResponse
    }),
    dashboardEndpoint(routes.endSession, async (call) =>
      (await endSession(ctx, callerOf(call), call.params.id)) ? signedOutResponse : { body: {} },
    ),
    dashboardEndpoint(routes.signOutEverywhere, async ({ member }) => {
      await signOutEverywhere(ctx, member)
      return signedOutResponse
    }),
    dashboardEndpoint(routes.switchCell, async ({ body, header }) => ({
      body: {},
      headers: { 'set-cookie': cookiesAfterSwitch(config, body.cell, header('cookie')) },
    })),
    dashboardEndpoint(routes.grantSupport, async ({ member }) => {
      await grantSupport(ctx, member)
      return { body: {} }
    }),
    dashboardEndpoint(routes.endSupport, async ({ member }) => {
      await endSupport(ctx, member)
      return { body: {} }
    }),
    dashboardEndpoint(routes.listTeam, async ({ member }) => ({ body: await listTeam(ctx, member) })),
    dashboardEndpoint(routes.inviteMember, async ({ member, body }) => ({
      body: await inviteMember(ctx, { by: member, ...body }),
    })),
    dashboardEndpoint(routes.withdrawInvitation, async ({ member, params }) => ({
      body: await withdrawInvitation(ctx, member, params.id),
    })),
  ]
}
