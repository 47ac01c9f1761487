import { createContext, use } from 'react'
import type { Environment, Me } from '@vidimus/contract'
import { may, type Permission } from '@vidimus/contract/roles'

type ShellContext = { me: Me; environment: Environment }

export const ShellContext = createContext<ShellContext | undefined>(undefined)

function useShellContext(): ShellContext {
  const context = use(ShellContext)
  if (context === undefined) throw new Error('used outside the shell')
  return context
}

export function useMe(): Me {
  return useShellContext().me
}

export function useEnvironment(): Environment {
  return useShellContext().environment
}

/** Whether the member's role has a permission. The page hides what is not allowed; the service enforces it. */
export function usePermission(permission: Permission): boolean {
  return may(useMe().member.role, permission)
}

/** How far this machine's clock is ahead of the service's, in milliseconds. */
export function useClockOffset(): number {
  return readClockOffset(useMe())
}

const offsets = new WeakMap<Me, number>()

/** Measured once per response, when it is first seen. */
function readClockOffset(me: Me): number {
  const offset = offsets.get(me) ?? Date.now() - Date.parse(me.now)
  offsets.set(me, offset)
  return offset
}
