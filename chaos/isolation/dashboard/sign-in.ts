import type { DashboardOperation } from '@vidimus/contract'
import { softwareAuthenticator } from '../../../apps/service/test/sign-in/authenticator.ts'
import { openBrowser, type Browser } from '../../../apps/service/test/sign-in/browser.ts'
import { signInAtProvider } from '../../../apps/service/test/sign-in/identity-provider.ts'
import { aside, still } from '../aside.ts'
import { told } from '../cells.ts'
import { expected } from '../expected.ts'
import type { World } from '../world.ts'
import { acceptLink, addPasskey, comeIn, doublesUnseen, invite, isIn } from './people.ts'
import type { Trial } from './writes.ts'

/** Coming in, being asked in, and going: each is let into its own tenant, and what nobody has is all alike. */
export const signIns = {
  startPasskeySignIn: ({ service, victim }) =>
    still(service, async () => {
      const offered = async (browser: Pick<Browser, 'call'>) => {
        const { body } = await browser.call('startPasskeySignIn')
        return { ...body.options, challenge: undefined }
      }
      return expected('the options', await offered(victim.team.owner), await offered(openBrowser(service)))
    }),
  finishPasskeySignIn: async (world) => [
    ...(await aside(world, world.stranger.merchant, async () => {
      const browser = await comeIn(world, world.stranger.team.owner)
      return [...(await isIn(browser, world.stranger)), ...(await doublesUnseen(world))]
    })),
    ...(await still(world.service, async () => {
      const browser = openBrowser(world.service)
      const { body } = await browser.call('startPasskeySignIn')
      const refusal = async (response: object) =>
        told(await browser.call('finishPasskeySignIn', { body: { response } }))
      const known = await refusal(world.victim.team.owner.passkey.get(body.options, { otherKey: true }))
      const unknown = await refusal(softwareAuthenticator(browser.origin).get(body.options))
      return expected('a passkey of somebody, wrongly used', known, unknown)
    })),
  ],
  startOidcSignIn: ({ service, victim }) =>
    still(service, async () => {
      const sent = async (browser: Pick<Browser, 'call'>) => {
        const { status, body } = await browser.call('startOidcSignIn', { body: {} })
        const { origin, pathname, searchParams } = new URL(body.location)
        return [status, origin, pathname, [...searchParams.keys()]]
      }
      return expected('where one is sent', await sent(victim.removed), await sent(openBrowser(service)))
    }),
  acceptWithOidc: async (world) => [
    ...(await joinByProvider(world, world.stranger.team.support.email, 'support')),
    ...(await linksNobodyHas(world, 'acceptWithOidc')),
  ],
  finishOidc: async (world) => [
    ...(await joinByProvider(world, world.stranger.team.developer.email, 'developer')),
    ...(await aside(world, world.stranger.merchant, async () => {
      const browser = openBrowser(world.service)
      const { body } = await browser.call('startOidcSignIn', { body: {} })
      await signInAtProvider(browser, body.location, 'developer')
      return isIn(browser, world.stranger)
    })),
    ...(await still(world.service, async () => {
      const browser = openBrowser(world.service)
      const { body } = await browser.call('startOidcSignIn', { body: {} })
      const { headers } = await signInAtProvider(browser, body.location, 'nobody-we-know')
      return expected(
        'where nobody is sent',
        headers.get('location'),
        '/dashboard/sign-in?error=sign_in_failed',
      )
    })),
  ],
  readInvitation: async (world) => {
    const read = async ({ invitation: { token } }: World['victim']) => {
      const { body } = await openBrowser(world.service).call('readInvitation', { body: { token } })
      return [body.tenant_name, body.role, body.returning]
    }
    return [
      ...expected('the invitation', await read(world.stranger), ['The stranger', 'support', false]),
      ...expected("the victim's", await read(world.victim), ['The victim', 'support', false]),
      ...(await linksNobodyHas(world, 'readInvitation')),
    ]
  },
  startPasskeyOfInvitation: async (world) => {
    const { email, passkey } = world.stranger.team.owner
    const token = await invite(world, world.stranger, email)
    return [
      ...(await still(world.service, async () => {
        const browser = openBrowser(world.service)
        const { body } = await browser.call('startPasskeyOfInvitation', { body: { token, name: 'Back' } })
        return expected('the passkeys that are known', idsOf(body.options.excludeCredentials), [passkey.id])
      })),
      ...(await linksNobodyHas(world, 'startPasskeyOfInvitation')),
    ]
  },
  acceptWithPasskey: async (world) => [
    // One who is new, and one who comes back, whose sessions elsewhere end.
    ...(await aside(world, world.stranger.merchant, async () => {
      const joined = await acceptLink(world, await invite(world, world.stranger, 'joins@example.com'))
      const returned = await acceptLink(
        world,
        await invite(world, world.stranger, world.stranger.team.admin.email),
      )
      return [...(await isIn(joined, world.stranger)), ...(await isIn(returned, world.stranger))]
    })),
    ...(await linksNobodyHas(world, 'acceptWithPasskey')),
  ],
  startPasskey: ({ service, stranger: { team } }) =>
    still(service, async () => {
      const { body } = await team.owner.call('startPasskey')
      return expected('the passkeys that are known', idsOf(body.options.excludeCredentials), [
        team.owner.passkey.id,
      ])
    }),
  addPasskey: (world) =>
    aside(world, world.stranger.merchant, async () => {
      const { answer } = await addPasskey(world.stranger.team.owner)
      return expected('adding', answer.status, 201)
    }),
  startConfirmation: ({ service, stranger: { team } }) =>
    still(service, async () => {
      const { body } = await team.owner.call('startConfirmation')
      const { passkeys } = (await team.owner.call('getMe')).body
      return expected('the passkeys that can confirm', idsOf(body.options.allowCredentials), idsOf(passkeys))
    }),
  confirmWithPasskey: async (world) => [
    ...(await aside(world, world.stranger.merchant, async () => {
      const { owner } = world.stranger.team
      const { body } = await owner.call('startConfirmation')
      const response = owner.passkey.get(body.options)
      return expected(
        'confirming',
        (await owner.call('confirmWithPasskey', { body: { response } })).status,
        200,
      )
    })),
    ...(await still(world.service, async () => {
      const { owner } = world.victim.team
      const { body } = await owner.call('startConfirmation')
      const response = world.stranger.team.owner.passkey.get(body.options)
      return expected(
        "confirming with another's passkey",
        (await owner.call('confirmWithPasskey', { body: { response } })).status,
        401,
      )
    })),
  ],
  signOut: async (world) => {
    const leaving = await comeIn(world, world.stranger.team.owner)
    const faults = await aside(world, world.stranger.merchant, async () => {
      const { status } = await leaving.call('signOut')
      return expected('signing out', status, 200)
    })
    return [...faults, ...(await isIn(world.stranger.team.owner, world.stranger))]
  },
  signOutEverywhere: async (world) => {
    const leaving = await comeIn(world, world.stranger.team.admin)
    return aside(world, world.stranger.merchant, async () => {
      const { status } = await leaving.call('signOutEverywhere')
      return expected('signing out', status, 200)
    })
  },
} satisfies Partial<Record<DashboardOperation, Trial>>

/** A member gets the provider for one more way in. */
async function joinByProvider(world: World, email: string, login: string): Promise<string[]> {
  return aside(world, world.stranger.merchant, async () => {
    const token = await invite(world, world.stranger, email)
    const browser = openBrowser(world.service)
    const { body } = await browser.call('acceptWithOidc', { body: { token, name: 'Somebody' } })
    await signInAtProvider(browser, body.location, login)
    return isIn(browser, world.stranger)
  })
}

/** A link that was withdrawn, one that was never made, and one that is none are told apart by nothing. */
async function linksNobodyHas(world: World, operation: DashboardOperation): Promise<string[]> {
  const tokens = ['never-given-out-to-anybody', '0'.repeat(43), world.victim.invitation.token.toUpperCase()]
  const passkey = softwareAuthenticator(world.victim.team.owner.origin)
  const { body } = await openBrowser(world.service).call('startPasskeySignIn')
  const response = passkey.create(body.options)
  return still(world.service, async () => {
    const answers = new Set<string>()
    for (const token of tokens) {
      const sent = {
        token,
        ...(operation !== 'readInvitation' && { name: 'Somebody' }),
        ...(operation === 'acceptWithPasskey' && { response }),
      }
      answers.add(told(await openBrowser(world.service).call(operation, { body: sent })))
    }
    const [answer = ''] = answers
    return expected('links that nobody has', [answers.size, answer.includes('invalid_invitation')], [1, true])
  })
}

function idsOf(each: readonly { id: string }[]): string[] {
  return each.map(({ id }) => id)
}
