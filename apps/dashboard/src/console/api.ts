import type { operatorRoutes } from '@vidimus/contract'
import { operatorPaths, type OperatorOperation } from '@vidimus/contract/operator-paths'
import { createClient, type Input, type Output } from '../api/client.ts'
import { createOperationHooks } from '../api/operation-hooks.ts'
import { signWithPasskey } from '../api/passkey.ts'

type OperatorApi = typeof operatorRoutes
export type OperationOutput<Op extends OperatorOperation> = Output<OperatorApi[Op]>
export type OperationInput<Op extends OperatorOperation> = Input<OperatorApi[Op]>

const operatorClient = createClient<OperatorApi>(operatorPaths)
export const { call, operationUrl } = operatorClient
export const { operationQuery, useOperationQuery, useOperationMutation } =
  createOperationHooks(operatorClient)

/** Asks for the operator's passkey again. */
export async function confirmIdentity(): Promise<void> {
  const { options } = await call('startConfirmation', {})
  await call('confirm', { json: { response: await signWithPasskey(options ?? {}) } })
}
