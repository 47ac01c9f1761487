import { buildErrorResponse } from '../wallet/build-response.ts'
import { walletError, type Fault } from './fault.ts'

/** The errors that a wallet may send instead of presentations (OpenID4VP 1.0 §8.5, RFC 6749 §4.1.2.1). */
const walletErrors: Readonly<Record<string, string>> = {
  access_denied: 'the holder declined',
  invalid_request: 'the wallet considers the request invalid',
  invalid_client: 'the wallet rejects the verifier',
  invalid_scope: 'the wallet does not support the scope',
  unauthorized_client: 'the verifier is not allowed to make this request',
  unsupported_response_type: 'the wallet does not support the response type',
  server_error: 'the wallet failed',
  temporarily_unavailable: 'the wallet is overloaded',
  vp_formats_not_supported: 'the wallet supports none of the formats',
  invalid_request_uri_method: 'the wallet does not support the request URI method',
  invalid_transaction_data: 'the wallet considers the transaction data invalid',
  wallet_unavailable: 'the wallet cannot be reached',
}

export const walletErrorFaults: readonly Fault[] = [
  ...Object.entries(walletErrors).map(([error, description]) => errorFault(error, description)),
  {
    name: 'error_encrypted',
    description: 'the holder declined, and the error is encrypted',
    expect: walletError('holder_declined'),
    alterations: {
      parameters: (original) => ({
        error: 'access_denied',
        error_description: 'The holder declined.',
        state: original['state'],
      }),
    },
  },
]

function errorFault(error: string, description: string): Fault {
  const code = error === 'access_denied' ? 'holder_declined' : 'wallet_error'
  return {
    name: `error_${error}`,
    description,
    channels: ['redirect', 'dc_api', 'age_app'],
    expect: walletError(code),
    expect_on: { dc_api: { outcome: 'noted', code } },
    alterations: { form: (_, { request }) => buildErrorResponse(request, error, description) },
  }
}
