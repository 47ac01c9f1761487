import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import type { Anchor, StatusListToken, VerifierRequest } from '../src/presentation.ts'
import { bombs } from './bombs.ts'
import { presentSdJwt } from './sd-jwt.ts'
import { LIST_URI } from './status-list.ts'
import { makeContext, makeWorld } from './world.ts'

export type Charge = {
  request: VerifierRequest
  anchors: Anchor[]
  lists: Record<string, StatusListToken>
  now: number
  /** Verified first, so that loading and compiling the code does not count. */
  harmless: string
  presentation: string
}

export type Damage = { status: string; code?: string; cpu_ms: number; grown_mib: number }

/** A process of its own in which bombs go off. Memory is told as it rises: the most exact figure is that of the first bomb. */
export function openRange(): { explode: (name: string) => Promise<Damage> } & Disposable {
  const child = fork(fileURLToPath(new URL('./take-charge.ts', import.meta.url)), {
    serialization: 'advanced',
  })
  return {
    async explode(name) {
      child.send(makeCharge(name))
      const [damage] = (await once(child, 'message')) as [Damage]
      return damage
    },
    [Symbol.dispose]: () => child.disconnect(),
  }
}

function makeCharge(name: string): Charge {
  const { presentation, lists, world } = prepare(name)
  const { request, trust, now } = makeContext([{ certificate: world.authority.der }])
  const dcql_query = { credentials: [{ id: 'any', format: 'dc+sd-jwt', meta: {} }] }
  return {
    request: { ...request, dcql_query },
    anchors: [...trust.anchors],
    lists,
    now,
    harmless: presentSdJwt(world),
    presentation,
  }
}

/** For a bad list, a right credential at its last place. */
function prepare(name: string) {
  const world = makeWorld()
  const bomb = bombs[name]?.(world)
  if (bomb === undefined) throw new Error(`no bomb is called ${name}`)
  if ('presentation' in bomb) return { world, presentation: bomb.presentation, lists: {} }
  const status = { status_list: { idx: 8 * 1024 * 1024 - 1, uri: LIST_URI } }
  return {
    world,
    presentation: presentSdJwt(world, { payload: { status } }),
    lists: { [LIST_URI]: bomb.list },
  }
}
