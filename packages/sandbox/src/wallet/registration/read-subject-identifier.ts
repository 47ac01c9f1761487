import type { X509Certificate } from 'node:crypto'

/**
 * The organizationIdentifier (2.5.4.97) of a certificate's subject, or of a natural person the serialNumber. OpenSSL prints one
 * attribute on each line, the first by its number or its name, depending on its version.
 */
export function readSubjectIdentifier({ subject }: X509Certificate): string | undefined {
  const attributes = new Map(
    subject.split('\n').map((line) => {
      const [name = '', ...value] = line.split('=')
      return [name, value.join('=')]
    }),
  )
  return (
    attributes.get('organizationIdentifier') ?? attributes.get('2.5.4.97') ?? attributes.get('serialNumber')
  )
}
