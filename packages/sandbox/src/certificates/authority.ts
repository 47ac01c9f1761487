import { generateSigningKey, type Algorithm, type SigningKey } from '../keys/signing-key.ts'
import {
  authorityKeyIdentifier,
  basicConstraints,
  keyUsage,
  subjectKeyIdentifier,
  type Extension,
} from './extensions.ts'
import type { Der } from './der.ts'
import { signCertificate, type Name } from './sign-certificate.ts'

/** A certificate authority: a root, or a subordinate of one. */
export type Authority = { readonly name: Name; readonly certificate: Uint8Array; readonly key: SigningKey }

export type Validity = { not_before: Date; not_after: Date }

export type AuthorityDraft = Validity & {
  name: Name
  algorithm?: Algorithm
  /** Given when a certificate is renewed; generated otherwise. */
  key?: SigningKey
  /** How many authorities may follow between this one and a leaf. */
  path_length: number
  serial?: Uint8Array
  extensions?: readonly Extension[]
}

/** Creates a root, or a subordinate of `parent`. */
export function createAuthority(draft: AuthorityDraft, parent?: Authority): Authority {
  const key = draft.key ?? generateSigningKey(draft.algorithm)
  const issuer = parent ?? { name: draft.name, key }
  const certificate = signCertificate(
    {
      subject: draft.name,
      issuer: issuer.name,
      not_before: draft.not_before,
      not_after: draft.not_after,
      public_key: key.public_key,
      ...(draft.serial && { serial: draft.serial }),
      extensions: [
        basicConstraints(true, draft.path_length),
        keyUsage('key_cert_sign', 'crl_sign'),
        subjectKeyIdentifier(key.public_key),
        ...(parent === undefined ? [] : [authorityKeyIdentifier(parent.key.public_key)]),
        ...(draft.extensions ?? []),
      ],
    },
    issuer.key,
  )
  return { name: draft.name, certificate, key }
}

export type LeafDraft = Validity & {
  name: Name
  key: SigningKey
  serial?: Uint8Array
  extensions: readonly Extension[]
}

/** Certifies a key that signs documents or requests but no certificates. `extensions` state its purpose. */
export function certify(
  authority: { readonly name: Name | Der; readonly key: SigningKey },
  leaf: LeafDraft,
): Uint8Array {
  return signCertificate(
    {
      subject: leaf.name,
      issuer: authority.name,
      not_before: leaf.not_before,
      not_after: leaf.not_after,
      public_key: leaf.key.public_key,
      ...(leaf.serial && { serial: leaf.serial }),
      extensions: [
        subjectKeyIdentifier(leaf.key.public_key),
        authorityKeyIdentifier(authority.key.public_key),
        ...leaf.extensions,
      ],
    },
    authority.key,
  )
}

const day_ms = 86_400_000

/** Valid from `before` days before `now` to `after` days after it, because the sandbox's clocks may differ. */
export function validityAround(now: Date, before: number, after: number): Validity {
  return {
    not_before: new Date(now.getTime() - before * day_ms),
    not_after: new Date(now.getTime() + after * day_ms),
  }
}
