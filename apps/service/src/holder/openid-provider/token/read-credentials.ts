import { OAuthError } from '../oauth-error.ts'

export type TokenForm = Readonly<
  Partial<
    Record<'grant_type' | 'code' | 'redirect_uri' | 'code_verifier' | 'client_id' | 'client_secret', string>
  >
>

export type ClientCredentials = { client_id: string; secret: string | undefined }

/** The client's id and secret, from the header or from the form but not from both (RFC 6749 §2.3). */
export function readClientCredentials(form: TokenForm, header: string | undefined): ClientCredentials {
  const basic = header === undefined ? undefined : readBasic(header)
  if (basic !== undefined && form.client_secret !== undefined)
    throw new OAuthError(
      'invalid_request',
      'The secret is sent twice. Choose client_secret_basic or client_secret_post at the site.',
    )
  const { client_id, secret } = basic ?? { client_id: form.client_id ?? '', secret: form.client_secret }
  if (form.client_id !== undefined && form.client_id !== client_id)
    throw new OAuthError('invalid_request', 'client_id differs from the Authorization header.')
  if (client_id === '' && header === undefined)
    throw new OAuthError(
      'invalid_client',
      'client_id is missing. Send it in the form, or with the secret in the header.',
    )
  if (!/^[\w-]{1,64}$/.test(client_id)) throw unknownClient(secret)
  return { client_id, secret }
}

/** Both halves are form-encoded before they are joined (RFC 6749 §2.3.1). */
function readBasic(header: string): ClientCredentials {
  const encoded = /^Basic +([A-Za-z0-9+/]+={0,2}) *$/i.exec(header)?.[1]
  const [, client_id = '', secret = ''] =
    /^([^:]*):(.*)$/s.exec(Buffer.from(encoded ?? '', 'base64').toString('utf8')) ?? []
  try {
    return { client_id: decodeForm(client_id), secret: decodeForm(secret) }
  } catch (error) {
    // A percent sign without two digits.
    if (error instanceof URIError) throw unknownClient(secret)
    throw error
  }
}

function decodeForm(text: string): string {
  return decodeURIComponent(text.replaceAll('+', ' '))
}

/** Whether there is such a client is not said. */
export function unknownClient(secret: string | undefined): OAuthError {
  return new OAuthError(
    'invalid_client',
    secret === undefined
      ? 'The client is unknown, or it has a secret that was not sent. Enter the secret at the site.'
      : 'The client is unknown, its secret is wrong or has ended, or it was created without one. Copy the client ID again; if the secret is lost, roll it on the dashboard.',
  )
}
