/** One request for the Digital Credentials API, as `GET /wallet/dc/{id}` returns it. */
export type DcRequest = { protocol: string; data: object }

export type DcAnswer =
  | { kind: 'response'; protocol: string; response: string }
  /** A wallet's error arrives in a fulfilled promise, unencrypted (OpenID4VP 1.0 §A.4). */
  | { kind: 'error'; protocol: string; error: string }
  /** Cancelled, no suitable wallet, or refused: browsers do not tell which. */
  | { kind: 'cancelled' }
  /** The browser refused the call for another reason. */
  | { kind: 'failed' }

export function hasDigitalCredentials(): boolean {
  return typeof DigitalCredential !== 'undefined'
}

/** The requests that this browser would pass to a wallet. It says nothing about the wallets that are installed. */
export function selectForwarded(requests: readonly DcRequest[]): DcRequest[] {
  return requests.filter(({ protocol }) => DigitalCredential.userAgentAllowsProtocol(protocol))
}

/** Must be called first thing in a click: it uses up the browser's permission to open a dialog. */
export async function callWallet(requests: readonly DcRequest[], signal: AbortSignal): Promise<DcAnswer> {
  try {
    // TypeScript's declarations lack `digital`.
    const options = { digital: { requests }, mediation: 'required', signal } as CredentialRequestOptions
    return readCredential(await navigator.credentials.get(options))
  } catch (error) {
    const name = error instanceof Error ? error.name : ''
    return { kind: name === 'NotAllowedError' || name === 'AbortError' ? 'cancelled' : 'failed' }
  }
}

/** What the browser returns comes from a wallet, so every member is checked. */
function readCredential(credential: unknown): DcAnswer {
  const { protocol, data } = (credential ?? {}) as { protocol?: unknown; data?: unknown }
  const { response, error } = (data ?? {}) as { response?: unknown; error?: unknown }
  if (typeof protocol !== 'string') return { kind: 'failed' }
  if (typeof error === 'string') return { kind: 'error', protocol, error }
  return typeof response === 'string' ? { kind: 'response', protocol, response } : { kind: 'failed' }
}
