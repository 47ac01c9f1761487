import { decodeBase64 } from '../crypto/base64.ts'
import { catchInputError, InputError, type ReadResult } from '../input-error.ts'
import type { Anchor } from '../presentation.ts'
import { readCertificate } from '../x509/read-certificate.ts'

const limits = { characters: 2 * 1024 * 1024, certificates: 500 } as const

const certificateBlock = /-----BEGIN CERTIFICATE-----([A-Za-z0-9+/=\s]*)-----END CERTIFICATE-----/g

/**
 * Reads the certificates of a PEM file (RFC 7468), each a trusted authority or signer. If one cannot be read, none is
 * accepted, so that the owner does not trust a different set than intended.
 */
export function readPemAnchors(pem: string, document_types?: readonly string[]): ReadResult<Anchor[]> {
  return catchInputError(() => {
    if (pem.length > limits.characters) throw new InputError('the PEM file is too large')
    const bodies = [...pem.matchAll(certificateBlock)].map(([, body = '']) => body.replaceAll(/\s/g, ''))
    if (bodies.length === 0) throw new InputError('the PEM file contains no certificate')
    if (bodies.length > limits.certificates)
      throw new InputError('the PEM file contains too many certificates')
    return bodies.map((body, index) => ({
      certificate: readBody(body, index + 1),
      ...(document_types && { document_types }),
    }))
  })
}

function readBody(body: string, position: number): Uint8Array {
  const der = decodeBase64(body)
  if (der === undefined || 'error' in readCertificate(der)) {
    throw new InputError(`certificate ${position} of the PEM file cannot be read`)
  }
  return der
}
