import { readResponseParameters } from './read-parameters.ts'

/** The exchange protocols of the Digital Credentials API that we send requests for, by channel (OpenID4VP 1.0 §A.1). */
export const dcProtocols = { dc_api: 'openid4vp-v1-signed', annex_c: 'org-iso-mdoc' } as const

export type DcChannel = keyof typeof dcProtocols

/** The channel whose request the posted form says it answers. Undefined if it is not such a form. */
export function readDcChannel(body: string): DcChannel | undefined {
  const protocol = readResponseParameters(body)?.protocol
  if (protocol === dcProtocols.dc_api) return 'dc_api'
  return protocol === dcProtocols.annex_c ? 'annex_c' : undefined
}
