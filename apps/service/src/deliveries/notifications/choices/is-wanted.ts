import type { AlertKind, Role } from '@vidimus/contract'
import type { ChoiceRow } from './store.ts'

const rolesByDefault = (kind: AlertKind): readonly Role[] =>
  kind === 'access_changed' ? ['owner'] : ['owner', 'admin']

/** Whether a member wants alerts of a kind: their choice, or else by their role. */
export function isWanted(
  role: Role,
  choices: readonly Pick<ChoiceRow, 'kind' | 'wanted'>[],
  kind: AlertKind,
): boolean {
  return choices.find((choice) => choice.kind === kind)?.wanted ?? rolesByDefault(kind).includes(role)
}
