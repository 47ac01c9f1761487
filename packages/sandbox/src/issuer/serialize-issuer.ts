import type { Authority } from '../certificates/authority.ts'
import { fromPem, toPem, type Name } from '../certificates/sign-certificate.ts'
import { exportPem, importPem } from '../keys/signing-key.ts'
import { createSigners, type Issuer } from './create-issuer.ts'
import type { RootName } from './signer.ts'

type SerializedAuthority = { name: Name; private_key: string; certificate: string }

/** An issuer as JSON, with keys (PKCS#8) and certificates as PEM. It contains private keys, so callers encrypt it before storing it. */
export type SerializedIssuer = {
  hierarchies: Record<RootName, { root: SerializedAuthority; issuing?: SerializedAuthority }>
  status_uri: string
}

export function exportIssuer({ hierarchies, status_uri }: Issuer): SerializedIssuer {
  const serializeHierarchy = ({ root, issuing }: Issuer['hierarchies'][RootName]) =>
    issuing === root
      ? { root: serializeAuthority(root) }
      : { root: serializeAuthority(root), issuing: serializeAuthority(issuing) }
  return {
    hierarchies: {
      persons: serializeHierarchy(hierarchies.persons),
      mobile: serializeHierarchy(hierarchies.mobile),
    },
    status_uri,
  }
}

export function importIssuer({ hierarchies, status_uri }: SerializedIssuer, now: Date): Issuer {
  const parseHierarchy = ({ root, issuing }: SerializedIssuer['hierarchies'][RootName]) => {
    const authority = parseAuthority(root)
    return { root: authority, issuing: issuing === undefined ? authority : parseAuthority(issuing) }
  }
  return createSigners(
    { persons: parseHierarchy(hierarchies.persons), mobile: parseHierarchy(hierarchies.mobile) },
    { now, status_uri },
  )
}

function serializeAuthority({ name, key, certificate }: Authority): SerializedAuthority {
  return { name, private_key: exportPem(key), certificate: toPem(certificate) }
}

function parseAuthority({ name, private_key, certificate }: SerializedAuthority): Authority {
  return { name, key: importPem(private_key), certificate: fromPem(certificate) }
}
