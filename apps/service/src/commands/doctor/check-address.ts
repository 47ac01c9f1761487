import { randomUUID } from 'node:crypto'
import type { Config } from '../../config.ts'
import { ok, wrong, type DoctorFinding } from './finding.ts'

const timeout_ms = 5000
const check = 'base address'

const tlsErrors: Record<string, [says: string, cure: string]> = {
  CERT_HAS_EXPIRED: [
    'its TLS certificate has expired',
    'Renew the certificate, and see why it was not renewed by itself.',
  ],
  CERT_NOT_YET_VALID: [
    'its TLS certificate is not valid yet',
    'Check the clock of this machine, and the certificate.',
  ],
  DEPTH_ZERO_SELF_SIGNED_CERT: [
    'its TLS certificate is self-made',
    'Get one from a public authority: wallets trust no other.',
  ],
  SELF_SIGNED_CERT_IN_CHAIN: [
    'its TLS certificate is of a private authority',
    'Get one from a public authority: wallets trust no other.',
  ],
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: [
    'its TLS chain is incomplete',
    'Have the proxy serve the intermediate certificates too (the “full chain” file).',
  ],
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: [
    'its TLS chain is incomplete',
    'Have the proxy serve the intermediate certificates too (the “full chain” file).',
  ],
  ERR_TLS_CERT_ALTNAME_INVALID: [
    'its TLS certificate is for another name',
    'Get a certificate for the name in BASE_URL.',
  ],
}

const connectionErrors: Record<string, [says: string, cure: string]> = {
  ENOTFOUND: ['its name is unknown', 'Correct BASE_URL, or make the DNS record.'],
  ECONNREFUSED: [
    'nothing answers there',
    'Start `vidimus serve`; see that the proxy in front of it runs and leads to HOST and PORT.',
  ],
  ECONNRESET: [
    'the connection is cut',
    'See that the proxy leads to HOST and PORT, and speaks http to them.',
  ],
}

/** Asks for the service where wallets will. */
export async function checkAddress({ BASE_URL }: Pick<Config, 'BASE_URL'>): Promise<DoctorFinding[]> {
  const id = randomUUID()
  try {
    // oxlint-disable-next-line no-restricted-globals -- a command looks at the service from outside, as a wallet would
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
      'Set BASE_URL to where it leads: a wallet posts its answer there and follows no redirect.',
    )
  if (response.status !== 200 || !text.includes('"status":"ok"'))
    return wrong(
      check,
      `Something else answers at BASE_URL ${url}, with status ${response.status}.`,
      'Correct BASE_URL, or have the proxy lead that address to HOST and PORT of `vidimus serve`.',
    )
  if (response.headers.get('x-request-id') !== id)
    return wrong(
      'proxy headers',
      'X-Request-Id does not come back: something in between drops or sets headers.',
      'Have the proxy pass request headers on as they are, Authorization and X-Request-Id among them.',
    )
  return ok(check, `the service answers at ${url}`)
}

function explainFailure(error: unknown): { check: string; says: string; cure: string } {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : ''
  const [tls, other] = [tlsErrors[code], connectionErrors[code]]
  if (tls !== undefined) return { check: 'TLS', says: tls[0], cure: tls[1] }
  if (other !== undefined) return { check, says: other[0], cure: other[1] }
  const timedOut = error instanceof Error && error.name === 'TimeoutError'
  const says = timedOut
    ? `no answer within ${timeout_ms / 1000} s`
    : cause instanceof Error
      ? cause.message
      : String(cause)
  return {
    check,
    says,
    cure: 'See that the proxy in front of the service runs and lets this machine through.',
  }
}
