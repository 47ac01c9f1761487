import { createContext, use } from 'react'
import type { Environment, Me } from '@vidimus/contract'
import { may, type Permission } from '@vidimus/contract/roles'

type Here = { me: Me; environment: Environment }

export const Here = createContext<Here | undefined>(undefined)

function useHere(): Here {
  const here = use(Here)
  if (here === undefined) throw new Error('outside of the shell')
  return here
}

export function useMe(): Me {
  return useHere().me
}

export function useEnvironment(): Environment {
  return useHere().environment
}

/** Whether the reader's role allows it. What it does not is not offered; the service decides all the same. */
export function useMay(permission: Permission): boolean {
  return may(useMe().member.role, permission)
}

/** How far this machine's clock is ahead of the service's. */
export function useClockOffset(): number {
  return clockOffsetOf(useMe())
}

const offsets = new WeakMap<Me, number>()

/** Taken once for each answer, when it is first seen. */
function clockOffsetOf(me: Me): number {
  const known = offsets.get(me) ?? Date.now() - Date.parse(me.now)
  offsets.set(me, known)
  return known
}
