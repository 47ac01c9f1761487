import { fixedNow, makeCertificate, type IssuedCertificate } from './certificates.ts'
import { joseAlg, signJws } from './sign.ts'

export const listType = 'http://uri.etsi.org/19602/LoTEType/EUPIDProvidersList'
export const pidIssuance = 'http://uri.etsi.org/19602/SvcType/PID/Issuance'
export const pidRevocation = 'http://uri.etsi.org/19602/SvcType/PID/Revocation'

export type TrustListOptions = {
  scheme?: Record<string, unknown>
  entities?: unknown
  header?: Record<string, unknown>
  chain?: Buffer[]
  key?: IssuedCertificate
}

type ListedEntity = { TrustedEntityInformation: object; TrustedEntityServices: unknown[] }

export const listSigner = makeCertificate({ common_name: 'List Operator' })

/** A valid list of trusted entities (ETSI TS 119 602), except for what the options change. */
export function makeTrustList(options: TrustListOptions = {}): string {
  const { key = listSigner, chain = [key.der] } = options
  const header = {
    alg: joseAlg(key),
    x5c: chain.map((certificate) => certificate.toString('base64')),
    sigT: new Date(fixedNow * 1000).toISOString(),
    crit: ['sigT'],
    ...options.header,
  }
  const scheme = {
    LoTEVersionIdentifier: 1,
    LoTESequenceNumber: 7,
    LoTEType: listType,
    SchemeOperatorName: [{ lang: 'en', value: 'Operator' }],
    ListIssueDateTime: new Date((fixedNow - 3600) * 1000).toISOString(),
    NextUpdate: new Date((fixedNow + 3600) * 1000).toISOString(),
    ...options.scheme,
  }
  const LoTE = { ListAndSchemeInformation: scheme, TrustedEntitiesList: options.entities ?? [] }
  return signJws(header, { LoTE }, key)
}

export function entity(name: string, ...services: unknown[]): ListedEntity {
  const TEName = [
    { lang: 'de', value: `${name} (de)` },
    { lang: 'en', value: name },
  ]
  return { TrustedEntityInformation: { TEName }, TrustedEntityServices: services }
}

export function service(
  type: string,
  certificates: (IssuedCertificate | string)[],
  status?: string,
): unknown {
  const X509Certificates = certificates.map((certificate) => ({
    val: typeof certificate === 'string' ? certificate : certificate.der.toString('base64'),
  }))
  return {
    ServiceInformation: {
      ServiceTypeIdentifier: type,
      ...(status !== undefined && { ServiceStatus: status }),
      ServiceDigitalIdentity: { X509Certificates },
    },
  }
}
