import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import type { Anchor, StatusListToken, VerifierRequest } from '../src/presentation.ts'
import { makeContext, makeFixture } from './fixture.ts'
import { resourceAttacks } from './resource-attacks.ts'
import { presentSdJwt } from './sd-jwt.ts'
import { listUri } from './status-list.ts'

export type AttackInput = {
  request: VerifierRequest
  anchors: Anchor[]
  lists: Record<string, StatusListToken>
  now: number
  /** Verified first, so that loading and compiling the code is not measured. */
  warm_up: string
  presentation: string
}

export type AttackCost = { status: string; code?: string; cpu_ms: number; grown_mib: number }

/** Runs attacks in a separate process. Memory is measured as growth of the peak, so the first attack has the most exact figure. */
export function openAttackRunner(): { run: (name: string) => Promise<AttackCost> } & Disposable {
  const child = fork(fileURLToPath(new URL('./attack-process.ts', import.meta.url)), {
    serialization: 'advanced',
  })
  return {
    async run(name) {
      child.send(makeAttackInput(name))
      const [cost] = (await once(child, 'message')) as [AttackCost]
      return cost
    },
    [Symbol.dispose]: () => child.disconnect(),
  }
}

function makeAttackInput(name: string): AttackInput {
  const { presentation, lists, fixture } = prepareAttack(name)
  const { request, trust, now } = makeContext([{ certificate: fixture.authority.der }])
  const dcql_query = { credentials: [{ id: 'any', format: 'dc+sd-jwt', meta: {} }] }
  return {
    request: { ...request, dcql_query },
    anchors: [...trust.anchors],
    lists,
    now,
    warm_up: presentSdJwt(fixture),
    presentation,
  }
}

/** For a status list, a valid credential at its last index. */
function prepareAttack(name: string) {
  const fixture = makeFixture()
  const attack = resourceAttacks[name]?.(fixture)
  if (attack === undefined) throw new Error(`no such attack: ${name}`)
  if ('presentation' in attack) return { fixture, presentation: attack.presentation, lists: {} }
  const status = { status_list: { idx: 8 * 1024 * 1024 - 1, uri: listUri } }
  return {
    fixture,
    presentation: presentSdJwt(fixture, { payload: { status } }),
    lists: { [listUri]: attack.list },
  }
}
