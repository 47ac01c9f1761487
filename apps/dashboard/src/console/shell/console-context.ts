import { createContext, use } from 'react'
import type { OperatorMe } from '@vidimus/contract'
import { operatorMay, type OperatorPermission } from '@vidimus/contract/operator-roles'

export const ConsoleContext = createContext<OperatorMe | undefined>(undefined)

/** The signed-in operator. */
export function useOperator(): OperatorMe {
  const me = use(ConsoleContext)
  if (me === undefined) throw new Error('used outside the shell')
  return me
}

/** Whether the operator's role has a permission. The page hides what is not allowed; the service enforces it. */
export function usePermission(permission: OperatorPermission): boolean {
  return operatorMay(useOperator().operator.role, permission)
}
