import { type NewOperatorInvitation, type OperatorRole, operatorRoles } from '@vidimus/contract'
import {
  addOperator,
  changeOperatorRole,
  findOperatorId,
  inviteOperator,
  listOperators,
  removeOperator,
} from '../../accounts/index.ts'
import { operatorOptions, readOperator } from './as-operator.ts'
import { command, printResult, UsageError } from './command.ts'
import { jsonLinesOption, jsonOption, parseEmail, parseName } from './options.ts'
import { withContext } from './with-context.ts'

const emailOption = { type: 'string', required: true, description: "the operator's address" } as const
const roleOption = { type: 'string', required: true, description: operatorRoles.join(', ') } as const

export const operatorAddCommand = command({
  options: {
    name: { type: 'string', required: true, description: 'their name, as the audit log shows it' },
    email: emailOption,
    role: roleOption,
    ...operatorOptions,
    json: jsonOption,
  },
  async run({ values }) {
    const added = {
      by: readOperator(values),
      name: parseName(values.name),
      email: parseEmail(values.email),
      role: parseRole(values.role),
    }
    printInvitation(values, await withContext((ctx) => addOperator(ctx, added)))
  },
})

export const operatorInviteCommand = command({
  options: { email: emailOption, ...operatorOptions, json: jsonOption },
  async run({ values }) {
    const [by, email] = [readOperator(values), parseEmail(values.email)]
    const invitation = await withContext(async (ctx) =>
      inviteOperator(ctx, { by, id: await findOperatorId(ctx, email) }),
    )
    printInvitation(values, invitation)
  },
})

export const operatorListCommand = command({
  options: { json: jsonLinesOption },
  async run({ values }) {
    for (const { you: _you, ...operator } of await withContext((ctx) => listOperators(ctx))) {
      const { id, role, name, email, removed_at, last_seen_at } = operator
      const state = removed_at === undefined ? `seen ${last_seen_at ?? 'never'}` : `removed ${removed_at}`
      printResult(values, operator, [`${id}  ${role}  ${state}  ${email}  ${name}`])
    }
  },
})

export const operatorRoleCommand = command({
  options: { email: emailOption, role: roleOption, ...operatorOptions, json: jsonOption },
  async run({ values }) {
    const [by, email, role] = [readOperator(values), parseEmail(values.email), parseRole(values.role)]
    const { id } = await withContext(async (ctx) =>
      changeOperatorRole(ctx, { by, id: await findOperatorId(ctx, email), role }),
    )
    printResult(values, { operator_id: id, role }, [`${email} has the role ${role}.`])
  },
})

export const operatorRemoveCommand = command({
  options: { email: emailOption, ...operatorOptions, json: jsonOption },
  async run({ values }) {
    const [by, email] = [readOperator(values), parseEmail(values.email)]
    const { id } = await withContext(async (ctx) =>
      removeOperator(ctx, { by, id: await findOperatorId(ctx, email) }),
    )
    printResult(values, { operator_id: id, removed: true }, [
      `${email} was removed, with their sessions and tokens.`,
    ])
  },
})

function printInvitation(values: { json: boolean }, { operator, link }: NewOperatorInvitation): void {
  const { id, email, role, invited_until } = operator
  printResult(values, { operator_id: id, role, link, expires_at: invited_until }, [
    link,
    `For ${email}, as ${role}, once, until ${invited_until}.`,
  ])
}

function parseRole(given: string): OperatorRole {
  const found = operatorRoles.find((each) => each === given)
  if (found === undefined) throw new UsageError(`--role must be one of ${operatorRoles.join(', ')}`)
  return found
}
