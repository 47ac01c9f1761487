import { exportAnchors, serveStatusList, type Issuer, type SandboxAnchor } from '@vidimus/sandbox'
import type { StatusListToken } from '@vidimus/protocol'
import { openSandboxIssuer, type OpenIssuer } from './open-issuer.ts'

/** What the test environment has of the sandbox issuer. */
export type Sandbox = {
  anchors(): Promise<SandboxAnchor[]>
  /** The status list at one of its addresses, signed now (seconds since 1970); undefined where there is none. */
  statusList(uri: string, now: number): Promise<StatusListToken | undefined>
}

/** The signers that an opened issuer has are good for months. */
const maxAge_seconds = 86_400

/** Opens the sandbox when it is first needed: an installation that only works live makes none. */
export function openSandbox(stores: OpenIssuer): Sandbox {
  let opened: { issuer: Promise<Issuer>; at: number } | undefined

  function issuerAt(now: number): Promise<Issuer> {
    if (opened === undefined || Math.abs(now - opened.at) > maxAge_seconds) {
      const issuer = openSandboxIssuer(stores)
      const attempt = { issuer, at: now }
      opened = attempt
      // Whoever waits gets the error; whoever comes next tries again.
      issuer.catch(() => {
        if (opened === attempt) opened = undefined
      })
    }
    return opened.issuer
  }

  return {
    anchors: async () => exportAnchors(await openSandboxIssuer(stores)),
    statusList: async (uri, now) => serveStatusList(await issuerAt(now), uri, new Date(now * 1000)),
  }
}
