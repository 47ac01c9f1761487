import { X509Certificate } from 'node:crypto'
import type { Issuer, SandboxAnchor, SerializedIssuer } from '@vidimus/sandbox'
import type { StatusListToken } from '@vidimus/protocol'
import { type Db, tables } from '../../engine/db/index.ts'
import type { Keyring } from '../../engine/keyring/index.ts'
import { insertIssuer, readIssuer } from './store.ts'

/** The anchors and lists of the sandbox issuer, for the test environment. */
export type Sandbox = {
  anchors(): Promise<SandboxAnchor[]>
  /** The status list, identifier list or certificate revocation list at one of its URIs, signed at `now` (seconds since 1970); undefined if there is none. */
  statusList(uri: string, now: number): Promise<StatusListToken | undefined>
  /** The description of a type at one of its URIs; undefined if there is none. */
  typeMetadata(uri: string): Promise<Uint8Array | undefined>
}

/** The signing certificates of an opened issuer are valid for months. */
const maxAge_seconds = 86_400

/** Opens the sandbox on first use, and loads its code then: an installation that is only used live creates none. */
export function openSandbox(stores: OpenIssuer): Sandbox {
  let opened: { issuer: Promise<Issuer>; at: number } | undefined

  function issuerAt(now: number): Promise<Issuer> {
    if (opened === undefined || Math.abs(now - opened.at) > maxAge_seconds) {
      const issuer = openSandboxIssuer(stores)
      const attempt = { issuer, at: now }
      opened = attempt
      // Callers that wait get the error; the next call tries again.
      issuer.catch(() => {
        if (opened === attempt) opened = undefined
      })
    }
    return opened.issuer
  }

  return {
    async anchors() {
      // Called when trust has changed: the issuer may be another one, which signs other lists.
      opened = undefined
      const { exportAnchors } = await import('@vidimus/sandbox')
      return exportAnchors(await openSandboxIssuer(stores))
    },
    async typeMetadata(uri) {
      const { serveTypeMetadata } = await import('@vidimus/sandbox')
      return serveTypeMetadata(await openSandboxIssuer(stores), uri)
    },
    async statusList(uri, now) {
      const { serveStatusList } = await import('@vidimus/sandbox')
      return serveStatusList(await issuerAt(now), uri, new Date(now * 1000))
    },
  }
}

/** A reserved name that never resolves (RFC 2606). In every installation, the sandbox's status lists are on this host. */
const sandboxHost = 'sandbox.invalid'

/** The organisation in the subject or issuer of every sandbox certificate, in OpenSSL's notation. */
const sandboxOrganization = /^O=Vidimus Sandbox$/m

/**
 * Whether a certificate belongs to a sandbox, of this installation or another. Live trusts none of them, however they were
 * added (TRUST-2): their keys are available to anyone who can create test documents.
 */
export function isSandboxCertificate(certificate: Uint8Array): boolean {
  // Lists have thousands of certificates, and reading each would hold up everything else. A sandbox writes names in UTF-8.
  if (!toBuffer(certificate).includes('Vidimus Sandbox')) return false
  const { subject, issuer } = new X509Certificate(certificate)
  return sandboxOrganization.test(subject) || sandboxOrganization.test(issuer)
}

function toBuffer({ buffer, byteOffset, byteLength }: Uint8Array): Buffer {
  return Buffer.from(buffer, byteOffset, byteLength)
}

/** Whether a status list is the sandbox's. Such a list is never fetched over the network. */
export function isSandboxUri(uri: string): boolean {
  return URL.parse(uri)?.hostname === sandboxHost
}

type OpenIssuer = { db: Db; keyring: Keyring }

export const sandboxIssuerUse = tables.sandbox_issuer.sealed.sealed

/** The sandbox issuer of this installation, shared by all processes: what one issues, the others trust. */
export async function openSandboxIssuer({ db, keyring }: OpenIssuer): Promise<Issuer> {
  const { importIssuer } = await import('@vidimus/sandbox')
  const { sealed, now } = await readIssuer(db)
  const opened = await keyring.unseal(sandboxIssuerUse, sealed ?? (await makeIssuer({ db, keyring }, now)))
  // Written by exportIssuer; the seal guarantees that it is unchanged.
  return importIssuer(JSON.parse(opened.toString()) as SerializedIssuer, new Date(now))
}

/** Processes that start together may each create an issuer. All use the first one that was stored. */
async function makeIssuer({ db, keyring }: OpenIssuer, now: string): Promise<Buffer> {
  const { createIssuer, exportIssuer } = await import('@vidimus/sandbox')
  const made = exportIssuer(createIssuer({ now: new Date(now) }))
  await insertIssuer(db, keyring.seal(sandboxIssuerUse, Buffer.from(JSON.stringify(made))))
  const { sealed } = await readIssuer(db)
  if (sealed === null) throw new Error('The sandbox issuer was not stored.')
  return sealed
}
