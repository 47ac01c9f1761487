import type { DashboardOperation } from '@vidimus/contract'
import { aside } from '../aside.ts'
import { expected } from '../expected.ts'
import type { Unit } from '../unit.ts'
import type { World } from '../world.ts'
import { bodies } from './ids.ts'
import { addPasskey } from './people.ts'
import { withIds, type Operation } from './routes.ts'

/** What is the asker's own is found by its id, and nobody else's double of it changes. */
export const ownIdUnits: readonly Unit[] = withIds.map(([operation, route]) => ({
  name: `dashboard.${operation}: one's own`,
  routes: [`dashboard.${operation}`],
  run: async (world) => ({ cells: 1, faults: await tryOwn([operation, route], world) }),
}))

async function tryOwn([operation, route]: Operation, world: World): Promise<string[]> {
  return aside(world, world.stranger.merchant, async () => {
    const id = await owns[operation]?.(world)
    if (id === undefined) throw new Error(`the matrix does not know whom to ask for ${operation}`)
    const { status } = await world.stranger.team.owner.call(operation, {
      params: { environment: 'test', id, key: id, fingerprint: id, attempt: '1' },
      ...(route.json !== undefined && { body: bodies[operation] }),
    })
    return expected('the status', status, route.success.status)
  })
}

/** Something of the stranger's that each route can be asked for. */
const owns: Partial<Record<DashboardOperation, (world: World) => string | Promise<string>>> = {
  removePasskey: async ({ stranger }) => (await addPasskey(stranger.team.owner)).id,
  revokeKey: ({ stranger }) => stranger.spare_key_id,
  getDelivery: ({ stranger }) => stranger.sessions.told.id,
  revealPayload: ({ stranger }) => stranger.sessions.told.id,
  resendWebhook: ({ stranger }) => stranger.sessions.told.id,
  revokeDevice: ({ stranger }) => stranger.unpaired.id,
  getVerification: ({ stranger }) => stranger.sessions.completed.id,
  revealClaims: ({ stranger }) => stranger.sessions.completed.id,
  eraseVerification: ({ stranger }) => stranger.sessions.failed.id,
  getTemplate: ({ stranger }) => stranger.own_template,
  duplicateTemplate: ({ stranger }) => stranger.own_template,
  withdrawInvitation: ({ stranger }) => stranger.invitation.id,
  changeRole: ({ stranger }) => stranger.team.support.id,
  removeMember: ({ stranger }) => stranger.team.auditor.id,
  removeAnchor: ({ stranger }) => stranger.anchor,
}
