import {
  type AlertChoices,
  type MailKind,
  type ChangeAlertChoices,
  type Role,
  mailKinds,
} from '@vidimus/contract'
import { getLanguage, setLanguage } from '../../../accounts/index.ts'
import type { Member } from '../../../engine/basics/index.ts'
import type { Context } from '../../../engine/context.ts'
import { type ChoiceRow, putChoices, readChoicesOfMember } from './store.ts'

type ChoicesContext = Pick<Context, 'db' | 'config'>

/** Which alerts a member gets by mail, and in which language. */
export async function getChoices({ db, config }: ChoicesContext, member: Member): Promise<AlertChoices> {
  const { tenant_id, member_id, role } = member
  const own = await readChoicesOfMember(db, { tenant_id, member_id })
  return {
    mail_available: config.MAIL_FROM !== undefined,
    kinds: mailKinds.map((kind) => ({ kind, wanted: isWanted(role, own, kind) })),
    language: (await getLanguage(db, { tenant_id, member_id })) ?? 'en',
  }
}

/** Changes what is given and keeps the rest. */
export async function changeChoices(
  ctx: ChoicesContext,
  member: Member,
  { kinds = {}, language }: ChangeAlertChoices,
): Promise<AlertChoices> {
  const { tenant_id, member_id } = member
  await ctx.db.transaction(async (tx) => {
    await putChoices(tx, { tenant_id, member_id, choices: kinds })
    if (language !== undefined) await setLanguage(tx, { tenant_id, member_id, language })
  })
  return getChoices(ctx, member)
}

const rolesByDefault = (kind: MailKind): readonly Role[] =>
  kind === 'access_changed' ? ['owner'] : ['owner', 'admin']

/** Whether a member wants alerts of a kind: their choice, or else by their role. */
export function isWanted(
  role: Role,
  choices: readonly Pick<ChoiceRow, 'kind' | 'wanted'>[],
  kind: MailKind,
): boolean {
  return choices.find((choice) => choice.kind === kind)?.wanted ?? rolesByDefault(kind).includes(role)
}
