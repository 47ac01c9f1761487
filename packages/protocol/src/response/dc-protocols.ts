/** The exchange protocols of the Digital Credentials API that we send requests for, by channel (OpenID4VP 1.0 §A.1). */
export const dcProtocols = { dc_api: 'openid4vp-v1-signed', annex_c: 'org-iso-mdoc' } as const

/** The same request signed by several identities. Its response is that of the channel `dc_api`. */
export const multiSignedProtocol = 'openid4vp-v1-multisigned'

export type DcChannel = keyof typeof dcProtocols

/** The channel whose request a posted form says it answers, by its `protocol`. Undefined if it is none of ours. */
export function readDcChannel(protocol: string | undefined): DcChannel | undefined {
  if (protocol === dcProtocols.dc_api || protocol === multiSignedProtocol) return 'dc_api'
  return protocol === dcProtocols.annex_c ? 'annex_c' : undefined
}
