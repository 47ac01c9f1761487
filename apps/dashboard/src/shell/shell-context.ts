import { createContext, use } from 'react'
import type { Environment, Me } from '@vidimus/contract'
import { may, type Permission } from '@vidimus/contract/roles'

type ShellContext = { me: Me; environment: Environment }

export const ShellContext = createContext<ShellContext | undefined>(undefined)

function useShellContext(): ShellContext {
  const context = use(ShellContext)
  if (context === undefined) throw new Error('outside of the shell')
  return context
}

export function useMe(): Me {
  return useShellContext().me
}

export function useEnvironment(): Environment {
  return useShellContext().environment
}

/** Whether the reader's role allows it. What it does not is not offered; the service decides all the same. */
export function usePermission(permission: Permission): boolean {
  return may(useMe().member.role, permission)
}

/** How far this machine's clock is ahead of the service's. */
export function useClockOffset(): number {
  return readClockOffset(useMe())
}

const offsets = new WeakMap<Me, number>()

/** Taken once for each answer, when it is first seen. */
function readClockOffset(me: Me): number {
  const known = offsets.get(me) ?? Date.now() - Date.parse(me.now)
  offsets.set(me, known)
  return known
}
