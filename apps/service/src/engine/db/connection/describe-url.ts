/** Variables that the driver falls back to where the URL says nothing. */
type DriverVariables = { PGHOST?: string; PGPASSWORD?: string; PGSSLMODE?: string }

export type DescribedUrl = {
  /** A name, an address or the folder of a socket. Empty: this machine. */
  host: string
  /** Whether the connection proves who connects, with a password or a client certificate. */
  has_proof: boolean
  /** `not_set`: neither asked for nor ruled out, which to the driver means off. */
  tls: 'on' | 'off' | 'not_set'
  /** Certificates and keys that the driver reads when it connects. */
  files: string[]
}

const fileParameters = ['sslcert', 'sslkey', 'sslrootcert']
const modesWithTls = new Set(['prefer', 'require', 'verify-ca', 'verify-full', 'no-verify'])

/** What a valid database URL says about the connection, as the driver reads it. */
export function describeUrl(url: string, variables: DriverVariables): DescribedUrl {
  const { hostname, password, searchParams } = new URL(url)
  const parameter = (name: string) => searchParams.getAll(name).at(-1) || undefined
  const named = decodeURIComponent(hostname.replaceAll(/[[\]]/g, ''))
  return {
    host: parameter('host') ?? (named || (variables.PGHOST ?? '')),
    has_proof: Boolean(password || variables.PGPASSWORD || parameter('password') || parameter('sslcert')),
    tls: readTls(parameter, variables.PGSSLMODE),
    files: fileParameters.map(parameter).filter((file) => file !== undefined),
  }
}

const otherModes = /(?<=[?&]sslmode=)(?:prefer|require|verify-ca)(?=[&#]|$)/g

/**
 * The URL with `verify-full` for modes that this version of the driver takes for it. Otherwise the driver warns that a later version will
 * change this. `uselibpqcompat=true` selects libpq's meaning.
 */
export function requireVerification(url: string): string {
  return /[?&]uselibpqcompat=true/.test(url) ? url : url.replaceAll(otherModes, 'verify-full')
}

function readTls(
  parameter: (name: string) => string | undefined,
  mode_of_environment: string | undefined,
): DescribedUrl['tls'] {
  const [mode, ssl] = [parameter('sslmode'), parameter('ssl')]
  if (mode !== undefined) return mode === 'disable' ? 'off' : 'on'
  if (fileParameters.some((name) => parameter(name) !== undefined)) return 'on'
  if (ssl !== undefined) return ssl === '0' ? 'off' : 'on'
  if (parameter('sslnegotiation') === 'direct') return 'on'
  if (mode_of_environment === 'disable') return 'off'
  return modesWithTls.has(mode_of_environment ?? '') ? 'on' : 'not_set'
}
