import type { AlertKind, Role } from '@vidimus/contract'
import type { ChoiceRow } from './store.ts'

const rolesByDefault: readonly Role[] = ['owner', 'admin']

/** Whether a member wants alerts of a kind: their choice, or else by their role. */
export function isWanted(
  role: Role,
  choices: readonly Pick<ChoiceRow, 'kind' | 'wanted'>[],
  kind: AlertKind,
): boolean {
  return choices.find((choice) => choice.kind === kind)?.wanted ?? rolesByDefault.includes(role)
}
