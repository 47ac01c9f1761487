import type { DashboardOperation } from '@vidimus/contract'
import { signBody } from '../../../apps/service/src/webhooks/sign.ts'
import { newAuthority, joinPem } from '../../../apps/service/test/trust/authorities.ts'
import type { ApiResponse } from '../../../apps/service/test/caller.ts'
import { aside } from '../aside.ts'
import { expected } from '../expected.ts'
import { deviceOf, rotated, shared, templateOf } from '../household.ts'
import type { World } from '../world.ts'

export type Trial = (world: World) => Promise<string[]>

type Do = {
  body?: object
  params?: Record<string, string>
  status?: number
  /** What is wrong with the answer. */
  look?: (answer: ApiResponse, world: World) => string[] | Promise<string[]>
}

/** The stranger's owner does it, and nothing changes but what is the stranger's. */
function does(operation: DashboardOperation, { body, params, status = 200, look = () => [] }: Do): Trial {
  return (world) =>
    aside(world, world.stranger.merchant, async () => {
      const answer = await world.stranger.team.owner.call(operation, {
        ...(params !== undefined && { params }),
        ...(body !== undefined && { body }),
      })
      return [...expected('the status', answer.status, status), ...(await look(answer, world))]
    })
}

const here = { environment: 'test' }
const partner = joinPem(newAuthority('A partner').certificate)
const adult = { template: shared.template, persona: 'adult' }

const sendTestEvent = does('sendTestEvent', {
  params: here,
  // Nobody is there; what would have been sent is told all the same.
  body: { url: 'http://127.0.0.1:9/hook' },
  look: ({ body }, { stranger }) => {
    const unix_seconds = Number(/^t=(\d+)/.exec(body.signature)?.[1])
    const own = signBody({ body: body.body, unix_seconds, secrets: stranger.webhook_secrets })
    return expected('the signature', body.signature, own)
  },
})

/** What members do that names nothing: it is done to their own tenant. */
export const writes = {
  changeMe: does('changeMe', {
    body: { name: 'The stranger' },
    look: ({ body }, { stranger }) => expected('who was renamed', body.member.id, stranger.team.owner.id),
  }),
  createKey: does('createKey', {
    params: here,
    body: { name: 'Shop', scopes: ['verifications:read'] },
    status: 201,
    look: async ({ body }, { service, stranger }) => {
      const headers = { authorization: `Bearer ${body.secret}` }
      const opened = await service.anonymous.get('/v1/verifications', { headers })
      return expected(
        'what the key opens',
        opened.text,
        (await stranger.merchant.get('/v1/verifications')).text,
      )
    },
  }),
  revealWebhookSecret: does('revealWebhookSecret', {
    look: ({ body }, { stranger }) => expected('the secret', body.secret, stranger.webhook_secrets[0]),
  }),
  sendTestEvent,
  rotateWebhookSecret: async (world) => [
    ...(await does('rotateWebhookSecret', {
      look: ({ body }) => {
        rotated(world.stranger, body.secret)
        return []
      },
    })(world)),
    ...(await sendTestEvent(world)),
  ],
  registerDevice: does('registerDevice', { params: here, body: deviceOf('another'), status: 201 }),
  createTestVerification: does('createTestVerification', {
    body: { template: shared.template },
    status: 201,
    look: ({ body }, world) => readsAsOwn(world, body.id),
  }),
  tryTemplate: does('tryTemplate', {
    body: adult,
    look: ({ body }, world) => readsAsOwn(world, body.verification_id),
  }),
  putTemplate: async (world) => {
    const template = templateOf('the stranger')
    const put = does('putTemplate', {
      params: { key: world.victim.own_template },
      body: { template },
      look: ({ body }) => expected('saving', body.saved, true),
    })
    const seen = async () =>
      (await world.victim.team.owner.call('getTemplate', { params: { key: world.victim.own_template } })).text
    const before = await seen()
    return [...(await put(world)), ...expected("the victim's template", await seen(), before)]
  },
  lintTemplate: async (world) => {
    const told = async (of: World['victim']) =>
      (await of.team.owner.call('lintTemplate', { body: { template: templateOf('any') } })).text
    return expected('what is told to everyone', await told(world.stranger), await told(world.victim))
  },
  inviteMember: async (world) => [
    ...(await does('inviteMember', { body: { email: 'new@example.com', role: 'admin' }, status: 201 })(
      world,
    )),
    // Who is there already keeps the role that it has here, whatever it has elsewhere.
    ...(await does('inviteMember', {
      body: { email: world.stranger.team.developer.email, role: 'admin' },
      status: 201,
      look: ({ body }) => expected('the role', body.invitation.role, 'developer'),
    })(world)),
  ],
  changePolicies: does('changePolicies', {
    body: { retention_days: 3 },
    look: ({ body }) => expected('the policies', body.policies.retention_days, 3),
  }),
  changeBrand: does('changeBrand', {
    body: { display_name: 'The stranger' },
    look: ({ body }) => expected('the brand', body.brand, { display_name: 'The stranger' }),
  }),
  changeIdentity: does('changeIdentity', {
    body: { verifier_info: '[{"format":"jwt","data":"stranger"}]' },
    look: ({ body }) => expected('the identity', body.verifier_info, '[{"format":"jwt","data":"stranger"}]'),
  }),
  changeTrustPolicy: does('changeTrustPolicy', {
    body: { policy: 'own' },
    look: ({ body }) => expected('the policy', body.own_trust.policy, 'own'),
  }),
  readAnchors: does('readAnchors', {
    params: here,
    body: { pem: partner },
    look: ({ body }) => expected('how many were read', body.data.length, 1),
  }),
  addAnchors: does('addAnchors', {
    params: here,
    body: { pem: partner },
    status: 201,
    look: async ({ body }, { victim }) => {
      const theirs = (await victim.team.owner.call('getSettings')).body.own_trust.anchors
      return expected(
        'whether each has more now',
        [body.own_trust.anchors, theirs].map((all) => all.length > 1),
        [true, false],
      )
    },
  }),
} satisfies Partial<Record<DashboardOperation, Trial>>

async function readsAsOwn({ stranger, victim }: World, id: string): Promise<string[]> {
  const read = async (of: typeof victim) =>
    (await of.team.owner.call('getVerification', { params: { ...here, id } })).status
  return expected('who reads it', [await read(stranger), await read(victim)], [200, 404])
}
