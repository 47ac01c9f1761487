import type { Authority } from '../certificates/authority.ts'
import { fromPem, toPem, type Name } from '../certificates/sign-certificate.ts'
import { exportPem, importPem } from '../keys/signing-key.ts'
import { withSigners, type Issuer } from './create-issuer.ts'
import type { RootName } from './signer.ts'

type KeptAuthority = { name: Name; private_key: string; certificate: string }

/** An issuer as JSON, in PEM (PKCS#8 and certificates). It holds private keys: whoever keeps it seals it. */
export type KeptIssuer = {
  hierarchies: Record<RootName, { root: KeptAuthority; issuing?: KeptAuthority }>
  status_uri: string
}

export function exportIssuer({ hierarchies, status_uri }: Issuer): KeptIssuer {
  const kept = ({ root, issuing }: Issuer['hierarchies'][RootName]) =>
    issuing === root ? { root: keep(root) } : { root: keep(root), issuing: keep(issuing) }
  return { hierarchies: { persons: kept(hierarchies.persons), mobile: kept(hierarchies.mobile) }, status_uri }
}

export function importIssuer({ hierarchies, status_uri }: KeptIssuer, now: Date): Issuer {
  const open = ({ root, issuing }: KeptIssuer['hierarchies'][RootName]) => {
    const authority = reopen(root)
    return { root: authority, issuing: issuing === undefined ? authority : reopen(issuing) }
  }
  return withSigners(
    { persons: open(hierarchies.persons), mobile: open(hierarchies.mobile) },
    { now, status_uri },
  )
}

function keep({ name, key, certificate }: Authority): KeptAuthority {
  return { name, private_key: exportPem(key), certificate: toPem(certificate) }
}

function reopen({ name, private_key, certificate }: KeptAuthority): Authority {
  return { name, key: importPem(private_key), certificate: fromPem(certificate) }
}
