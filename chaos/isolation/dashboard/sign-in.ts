import type { DashboardOperation } from '@vidimus/contract'
import { softwareAuthenticator } from '../../../apps/service/test/sign-in/authenticator.ts'
import { openBrowser, type Browser } from '../../../apps/service/test/sign-in/browser.ts'
import { signInAtProvider } from '../../../apps/service/test/sign-in/identity-provider.ts'
import { expectOthersUnchanged, expectUnchanged } from '../expect-unchanged.ts'
import { comparableResponse } from '../foreign-ids.ts'
import { expectEqual } from '../expect-equal.ts'
import type { IsolationFixture } from '../fixture/isolation-fixture.ts'
import {
  acceptInvitation,
  addPasskey,
  signInAgain,
  expectDuplicatesUnseen,
  createInvitation,
  expectSignedInTo,
} from './member-sessions.ts'
import type { RouteTrial } from './writes.ts'

/** Sign-in, invitations and sign-out: members reach only their own tenant, and unknown credentials all get the same response. */
export const signInTrials = {
  startPasskeySignIn: ({ service, victim }) =>
    expectUnchanged(service, async () => {
      const offered = async (browser: Pick<Browser, 'call'>) => {
        const { body } = await browser.call('startPasskeySignIn')
        return { ...body.options, challenge: undefined }
      }
      return expectEqual('the options', await offered(victim.team.owner), await offered(openBrowser(service)))
    }),
  finishPasskeySignIn: async (fixture) => [
    ...(await expectOthersUnchanged(fixture, fixture.otherTenant.merchant, async () => {
      const browser = await signInAgain(fixture, fixture.otherTenant.team.owner)
      return [
        ...(await expectSignedInTo(browser, fixture.otherTenant)),
        ...(await expectDuplicatesUnseen(fixture)),
      ]
    })),
    // A failure with a known passkey is recorded in the audit log of its tenant.
    ...(await expectOthersUnchanged(fixture, fixture.victim.merchant, async () => {
      const browser = openBrowser(fixture.service)
      const { body } = await browser.call('startPasskeySignIn')
      const refusal = async (response: object) =>
        comparableResponse(await browser.call('finishPasskeySignIn', { body: { response } }))
      const known = await refusal(fixture.victim.team.owner.passkey.get(body.options, { otherKey: true }))
      return expectUnchanged(fixture.service, async () => {
        const unknown = await refusal(softwareAuthenticator(browser.origin).get(body.options))
        return expectEqual('a known passkey with a wrong signature', known, unknown)
      })
    })),
  ],
  startOidcSignIn: ({ service, victim }) =>
    expectUnchanged(service, async () => {
      const sent = async (browser: Pick<Browser, 'call'>) => {
        const { status, body } = await browser.call('startOidcSignIn', { body: {} })
        const { origin, pathname, searchParams } = new URL(body.location)
        return [status, origin, pathname, [...searchParams.keys()]]
      }
      return expectEqual('where one is sent', await sent(victim.removed), await sent(openBrowser(service)))
    }),
  acceptWithOidc: async (fixture) => [
    ...(await addProviderSignIn(fixture, fixture.otherTenant.team.support.email, 'support')),
    ...(await expectSameInvitationRefusal(fixture, 'acceptWithOidc')),
  ],
  finishOidc: async (fixture) => [
    ...(await addProviderSignIn(fixture, fixture.otherTenant.team.developer.email, 'developer')),
    ...(await expectOthersUnchanged(fixture, fixture.otherTenant.merchant, async () => {
      const browser = openBrowser(fixture.service)
      const { body } = await browser.call('startOidcSignIn', { body: {} })
      await signInAtProvider(browser, body.location, 'developer')
      return expectSignedInTo(browser, fixture.otherTenant)
    })),
    ...(await expectUnchanged(fixture.service, async () => {
      const browser = openBrowser(fixture.service)
      const { body } = await browser.call('startOidcSignIn', { body: {} })
      const { headers } = await signInAtProvider(browser, body.location, 'unknown-subject')
      return expectEqual(
        'redirect of an unknown subject',
        headers.get('location'),
        '/dashboard/sign-in?error=sign_in_failed',
      )
    })),
  ],
  requestSignUp: ({ service, victim }) =>
    expectUnchanged(service, async () => {
      const refusal = async (email: string) =>
        comparableResponse(
          await openBrowser(service).call('requestSignUp', { body: { organisation: 'Shop', email } }),
        )
      return expectEqual(
        'the refusal',
        await refusal(victim.team.owner.email),
        await refusal('new@example.com'),
      )
    }),
  readInvitation: async (fixture) => {
    const read = async ({ invitation: { token } }: IsolationFixture['victim']) => {
      const { body } = await openBrowser(fixture.service).call('readInvitation', { body: { token } })
      return [body.tenant_name, body.role, body.returning]
    }
    return [
      ...expectEqual('the invitation', await read(fixture.otherTenant), [
        'The other tenant',
        'support',
        false,
      ]),
      ...expectEqual("the victim's", await read(fixture.victim), ['The victim', 'support', false]),
      ...(await expectSameInvitationRefusal(fixture, 'readInvitation')),
    ]
  },
  startPasskeyOfInvitation: async (fixture) => {
    const { email, passkey } = fixture.otherTenant.team.owner
    const token = await createInvitation(fixture, fixture.otherTenant, email)
    return [
      ...(await expectUnchanged(fixture.service, async () => {
        const browser = openBrowser(fixture.service)
        const { body } = await browser.call('startPasskeyOfInvitation', { body: { token, name: 'Back' } })
        return expectEqual('the passkeys that are known', idsOf(body.options.excludeCredentials), [
          passkey.id,
        ])
      })),
      ...(await expectSameInvitationRefusal(fixture, 'startPasskeyOfInvitation')),
    ]
  },
  acceptWithPasskey: async (fixture) => [
    // A new member, and a returning one, whose other sessions end.
    ...(await expectOthersUnchanged(fixture, fixture.otherTenant.merchant, async () => {
      const joined = await acceptInvitation(
        fixture,
        await createInvitation(fixture, fixture.otherTenant, 'joins@example.com'),
      )
      const returned = await acceptInvitation(
        fixture,
        await createInvitation(fixture, fixture.otherTenant, fixture.otherTenant.team.admin.email),
      )
      return [
        ...(await expectSignedInTo(joined, fixture.otherTenant)),
        ...(await expectSignedInTo(returned, fixture.otherTenant)),
      ]
    })),
    ...(await expectSameInvitationRefusal(fixture, 'acceptWithPasskey')),
  ],
  startPasskey: ({ service, otherTenant: { team } }) =>
    expectUnchanged(service, async () => {
      const { body } = await team.owner.call('startPasskey')
      return expectEqual('the passkeys that are known', idsOf(body.options.excludeCredentials), [
        team.owner.passkey.id,
      ])
    }),
  addPasskey: (fixture) =>
    expectOthersUnchanged(fixture, fixture.otherTenant.merchant, async () => {
      const { response: reply } = await addPasskey(fixture.otherTenant.team.owner)
      return expectEqual('adding', reply.status, 201)
    }),
  startConfirmation: ({ service, otherTenant: { team } }) =>
    expectUnchanged(service, async () => {
      const { body } = await team.owner.call('startConfirmation')
      const { passkeys } = (await team.owner.call('getMe')).body
      return expectEqual(
        'the passkeys that can confirm',
        idsOf(body.options.allowCredentials),
        idsOf(passkeys),
      )
    }),
  confirmWithPasskey: async (fixture) => [
    ...(await expectOthersUnchanged(fixture, fixture.otherTenant.merchant, async () => {
      const { owner } = fixture.otherTenant.team
      const { body } = await owner.call('startConfirmation')
      const response = owner.passkey.get(body.options)
      return expectEqual(
        'confirming',
        (await owner.call('confirmWithPasskey', { body: { response } })).status,
        200,
      )
    })),
    ...(await expectUnchanged(fixture.service, async () => {
      const { owner } = fixture.victim.team
      const { body } = await owner.call('startConfirmation')
      const response = fixture.otherTenant.team.owner.passkey.get(body.options)
      return expectEqual(
        "confirming with another's passkey",
        (await owner.call('confirmWithPasskey', { body: { response } })).status,
        401,
      )
    })),
  ],
  signOut: async (fixture) => {
    const leaving = await signInAgain(fixture, fixture.otherTenant.team.owner)
    const faults = await expectOthersUnchanged(fixture, fixture.otherTenant.merchant, async () => {
      const { status } = await leaving.call('signOut')
      return expectEqual('signing out', status, 200)
    })
    return [...faults, ...(await expectSignedInTo(fixture.otherTenant.team.owner, fixture.otherTenant))]
  },
  switchCell: ({ service, victim }) =>
    expectUnchanged(service, async () => {
      const refusal = async (browser: Pick<Browser, 'call'>) =>
        comparableResponse(await browser.call('switchCell', { body: { cell: 'b' } }))
      return expectEqual('the refusal', await refusal(victim.team.owner), await refusal(openBrowser(service)))
    }),
  signOutEverywhere: async (fixture) => {
    const leaving = await signInAgain(fixture, fixture.otherTenant.team.admin)
    return expectOthersUnchanged(fixture, fixture.otherTenant.merchant, async () => {
      const { status } = await leaving.call('signOutEverywhere')
      return expectEqual('signing out', status, 200)
    })
  },
} satisfies Partial<Record<DashboardOperation, RouteTrial>>

/** Adds the identity provider as a sign-in method of a member. */
async function addProviderSignIn(fixture: IsolationFixture, email: string, login: string): Promise<string[]> {
  return expectOthersUnchanged(fixture, fixture.otherTenant.merchant, async () => {
    const token = await createInvitation(fixture, fixture.otherTenant, email)
    const browser = openBrowser(fixture.service)
    const { body } = await browser.call('acceptWithOidc', { body: { token, name: 'Somebody' } })
    await signInAtProvider(browser, body.location, login)
    return expectSignedInTo(browser, fixture.otherTenant)
  })
}

/** Unknown and malformed invitation links all get the same response. */
async function expectSameInvitationRefusal(
  fixture: IsolationFixture,
  operation: DashboardOperation,
): Promise<string[]> {
  const tokens = ['never-given-out-to-anybody', '0'.repeat(43), fixture.victim.invitation.token.toUpperCase()]
  const passkey = softwareAuthenticator(fixture.victim.team.owner.origin)
  const { body } = await openBrowser(fixture.service).call('startPasskeySignIn')
  const response = passkey.create(body.options)
  return expectUnchanged(fixture.service, async () => {
    const responses = new Set<string>()
    for (const token of tokens) {
      const sent = {
        token,
        ...(operation !== 'readInvitation' && { name: 'Somebody' }),
        ...(operation === 'acceptWithPasskey' && { response }),
      }
      responses.add(comparableResponse(await openBrowser(fixture.service).call(operation, { body: sent })))
    }
    const [reply = ''] = responses
    return expectEqual(
      'unknown invitation links',
      [responses.size, reply.includes('invalid_invitation')],
      [1, true],
    )
  })
}

function idsOf(each: readonly { id: string }[]): string[] {
  return each.map(({ id }) => id)
}
