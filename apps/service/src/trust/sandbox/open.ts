import type { Issuer, SandboxAnchor } from '@vidimus/sandbox'
import type { StatusListToken } from '@vidimus/protocol'
import { openSandboxIssuer, type OpenIssuer } from './open-issuer.ts'

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
