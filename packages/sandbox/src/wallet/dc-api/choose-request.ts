import { checkAnnexCRequest } from '../annex-c/check-request.ts'
import type { AnnexCRequest, DcApiRequest } from '../authorization-request.ts'
import { dcApiProtocols, multiSignedProtocol } from '../build-response.ts'
import { formatValue, isNonEmptyArray, isObject, violationUnless, type Violation } from '../violation.ts'
import { checkDcApiRequest, checkMultiSignedRequest, type DcApiRequestInput } from './check-request.ts'

/** The channels of the Digital Credentials API, each with one protocol. */
export type DcApiChannel = keyof typeof dcApiProtocols

export type ChooseRequestInput = DcApiRequestInput & {
  /** Which of the requests to answer. Default: the first that the wallet supports. */
  channel?: DcApiChannel | undefined
}

const place = 'W3C Digital Credentials API'

/** Chooses one of the requests that a page gave to the browser, and checks it. */
export async function chooseDcApiRequest(
  requests: unknown,
  input: ChooseRequestInput,
): Promise<{ request?: DcApiRequest | AnnexCRequest; violations: Violation[] }> {
  if (!isNonEmptyArray(requests) || !requests.every(isRequest)) {
    const message = `requests is ${formatValue(requests)}, not a list of {protocol, data}`
    return { violations: violationUnless(false, 'dc_api.requests', place, message) }
  }
  const offered = requests.filter(isRequest)
  const wanted = listProtocols(input)
  const chosen = offered.find(({ protocol }) => wanted.includes(protocol))
  if (chosen === undefined) {
    const message = `${formatValue(offered.map(({ protocol }) => protocol))} includes none of ${wanted.join(', ')}`
    return { violations: violationUnless(false, 'dc_api.protocol', place, message) }
  }
  if (chosen.protocol === dcApiProtocols.annex_c) return checkAnnexCRequest(chosen.data, input)
  if (chosen.protocol === multiSignedProtocol) return checkMultiSignedRequest(chosen.data, input)
  if (input.ecosystem !== 'google') return checkDcApiRequest(chosen.data, input)
  const signed = offered.filter(({ protocol }) => protocol === dcApiProtocols.dc_api)
  const checked = await Promise.all(signed.map(({ data }) => checkDcApiRequest(data, input)))
  return checked.find(({ request }) => request !== undefined) ?? checked.at(-1) ?? { violations: [] }
}

function listProtocols({ channel, ecosystem = 'eu' }: ChooseRequestInput): readonly string[] {
  if (channel === 'annex_c' || ecosystem === 'apple') return [dcApiProtocols.annex_c]
  if (ecosystem === 'iso') return [multiSignedProtocol]
  return channel === undefined && ecosystem === 'eu' ? Object.values(dcApiProtocols) : [dcApiProtocols.dc_api]
}

type OfferedRequest = { protocol: string; data: unknown }

function isRequest(request: unknown): request is OfferedRequest {
  return isObject(request) && typeof request['protocol'] === 'string' && isObject(request['data'])
}
