import { randomUUID } from 'node:crypto'
import type { Config } from '../../../engine/config/index.ts'
import { ok, wrong, type DoctorFinding } from '../../../operations/index.ts'

const timeout_ms = 5000
const check = 'base address'

const tlsErrors: Record<string, [says: string, cure: string]> = {
  CERT_HAS_EXPIRED: [
    'its TLS certificate has expired',
    'Renew the certificate, and find out why it was not renewed automatically.',
  ],
  CERT_NOT_YET_VALID: [
    'its TLS certificate is not valid yet',
    "Check this machine's clock and the certificate.",
  ],
  DEPTH_ZERO_SELF_SIGNED_CERT: [
    'its TLS certificate is self-signed',
    'Get one from a public authority; wallets trust no others.',
  ],
  SELF_SIGNED_CERT_IN_CHAIN: [
    'its TLS certificate comes from a private authority',
    'Get one from a public authority; wallets trust no others.',
  ],
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: [
    'its TLS chain is incomplete',
    'Let the proxy send the intermediate certificates too (the “full chain” file).',
  ],
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: [
    'its TLS chain is incomplete',
    'Let the proxy send the intermediate certificates too (the “full chain” file).',
  ],
  ERR_TLS_CERT_ALTNAME_INVALID: [
    'its TLS certificate is for another name',
    'Get a certificate for the name in BASE_URL.',
  ],
}

const connectionErrors: Record<string, [says: string, cure: string]> = {
  ENOTFOUND: ['the host name does not resolve', 'Correct BASE_URL, or create the DNS record.'],
  ECONNREFUSED: [
    'connection refused',
    'Start `vidimus serve`, and check that the proxy runs and forwards to HOST and PORT.',
  ],
  ECONNRESET: ['connection reset', 'Check that the proxy forwards to HOST and PORT over http.'],
}

/** Calls the service at its public URL, as wallets do. */
export async function checkAddress({ BASE_URL }: Pick<Config, 'BASE_URL'>): Promise<DoctorFinding[]> {
  const id = randomUUID()
  try {
    // oxlint-disable-next-line no-restricted-globals -- a command calls the service from outside, as a wallet does
    const response = await fetch(`${BASE_URL}/healthz`, {
      headers: { 'x-request-id': id },
      redirect: 'manual',
      signal: AbortSignal.timeout(timeout_ms),
    })
    return [checkResponse(BASE_URL, response, { id, text: await response.text() })]
  } catch (error) {
    const { check: name, says, cure } = explainFailure(error)
    return [wrong(name, `BASE_URL ${BASE_URL} cannot be reached: ${says}.`, cure)]
  }
}

function checkResponse(
  url: string,
  response: Response,
  { id, text }: { id: string; text: string },
): DoctorFinding {
  if (response.status >= 300 && response.status < 400)
    return wrong(
      check,
      `BASE_URL ${url} redirects to ${response.headers.get('location')}.`,
      'Set BASE_URL to the target: wallets post their response there and do not follow redirects.',
    )
  if (response.status !== 200 || !text.includes('"status":"ok"'))
    return wrong(
      check,
      `BASE_URL ${url} does not reach this service: HTTP status ${response.status}.`,
      'Correct BASE_URL, or let the proxy forward it to HOST and PORT of `vidimus serve`.',
    )
  if (response.headers.get('x-request-id') !== id)
    return wrong(
      'proxy headers',
      'X-Request-Id is not returned: a proxy drops or overwrites headers.',
      'Let the proxy pass request headers unchanged, including Authorization and X-Request-Id.',
    )
  return ok(check, `the service responds at ${url}`)
}

function explainFailure(error: unknown): { check: string; says: string; cure: string } {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : ''
  const [tls, other] = [tlsErrors[code], connectionErrors[code]]
  if (tls !== undefined) return { check: 'TLS', says: tls[0], cure: tls[1] }
  if (other !== undefined) return { check, says: other[0], cure: other[1] }
  const timedOut = error instanceof Error && error.name === 'TimeoutError'
  const says = timedOut
    ? `no response within ${timeout_ms / 1000} s`
    : cause instanceof Error
      ? cause.message
      : String(cause)
  return {
    check,
    says,
    cure: 'Check that the proxy runs and accepts connections from this machine.',
  }
}
