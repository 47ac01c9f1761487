import { type DecideApproval, decideApproval } from '../../accounts/index.ts'
import { type ChangeTenantState, changeTenantState } from '../../operations/index.ts'
import { readOperator, operatorOptions } from './as-operator.ts'
import { command, printResult } from './command.ts'
import { jsonOption, parseUuid, tenantOption } from './options.ts'
import { withContext } from './with-context.ts'

const shownReason = {
  type: 'string',
  required: true,
  description: 'why, for the audit logs; its members and the callers of its API read it',
} as const

export const tenantSuspendCommand = command({
  options: {
    tenant: tenantOption,
    ...operatorOptions,
    reason: shownReason,
    'end-open': { type: 'boolean', description: 'end its open verifications too' },
    json: jsonOption,
  },
  run: ({ values }) => change(values, { state: 'suspended', end_open: values['end-open'] }),
})

export const tenantResumeCommand = command({
  options: { tenant: tenantOption, ...operatorOptions, json: jsonOption },
  run: ({ values }) => change(values, { state: 'active' }),
})

export const tenantCloseCommand = command({
  options: { tenant: tenantOption, ...operatorOptions, reason: shownReason, json: jsonOption },
  run: ({ values }) => change(values, { state: 'closed' }),
})

export const tenantApproveCommand = command({
  options: { tenant: tenantOption, ...operatorOptions, json: jsonOption },
  run: ({ values }) => decide(values, 'approved'),
})

export const tenantRefuseCommand = command({
  options: { tenant: tenantOption, ...operatorOptions, reason: shownReason, json: jsonOption },
  run: ({ values }) => decide(values, 'refused'),
})

type Given = { tenant: string; as: string | undefined; reason: string | undefined; json: boolean }

async function decide(values: Given, approval: DecideApproval['approval']): Promise<void> {
  const tenant_id = parseUuid('tenant', values.tenant)
  const operator = readOperator(values)
  const { state } = await withContext((ctx) => decideApproval(ctx, { tenant_id, approval, operator }))
  printResult(values, { tenant_id, approval, state }, [`The tenant is ${approval}. Its state is ${state}.`])
}

async function change(
  values: Given,
  { state, end_open = false }: Pick<ChangeTenantState, 'state' | 'end_open'>,
): Promise<void> {
  const tenant_id = parseUuid('tenant', values.tenant)
  const operator = readOperator(values)
  const { ended } = await withContext((ctx) =>
    changeTenantState(ctx, { tenant_id, state, operator, end_open }),
  )
  printResult(values, { tenant_id, state, ended }, [
    `The tenant is ${state}.${ended > 0 ? ` ${ended} open verifications were ended.` : ''}`,
  ])
}
