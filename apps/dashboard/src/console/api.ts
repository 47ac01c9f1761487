import type { operatorRoutes } from '@vidimus/contract'
import { operatorPaths, type OperatorOperation } from '@vidimus/contract/operator-paths'
import { createClient, type Input, type Output } from '../api/client.ts'
import { createOperationHooks } from '../api/operation-hooks.ts'
import { LocalError } from '../api/error.ts'
import { signWithPasskey } from '../api/passkey.ts'

type OperatorApi = typeof operatorRoutes
export type OperationOutput<Op extends OperatorOperation> = Output<OperatorApi[Op]>
export type OperationInput<Op extends OperatorOperation> = Input<OperatorApi[Op]>

const operatorClient = createClient<OperatorApi>(operatorPaths)
export const { call, operationUrl } = operatorClient
export const { operationQuery, useOperationQuery, useOperationMutation } =
  createOperationHooks(operatorClient)

/** Asks for the operator's passkey again. An operator without one is sent to the identity provider and returns to this page. */
export async function confirmIdentity(): Promise<void> {
  const { options } = await call('startConfirmation', {})
  if (options !== undefined) {
    await call('confirm', { json: { response: await signWithPasskey(options) } })
    return
  }
  const { location: provider } = await call('startOidcConfirmation', {
    json: { return_to: location.pathname },
  })
  location.assign(provider)
  throw new LocalError('confirming')
}
