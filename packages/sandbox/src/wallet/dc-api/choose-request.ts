import { checkAnnexCRequest } from '../annex-c/check-request.ts'
import type { AnnexCRequest, DcApiRequest } from '../authorization-request.ts'
import { dcApiProtocols } from '../build-response.ts'
import { formatValue, isNonEmptyArray, isObject, violationUnless, type Violation } from '../violation.ts'
import { checkDcApiRequest, type DcApiRequestInput } from './check-request.ts'

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
  const wanted: readonly string[] =
    input.channel === undefined ? Object.values(dcApiProtocols) : [dcApiProtocols[input.channel]]
  const chosen = offered.find(({ protocol }) => wanted.includes(protocol))
  if (chosen === undefined) {
    const message = `${formatValue(offered.map(({ protocol }) => protocol))} includes none of ${wanted.join(', ')}`
    return { violations: violationUnless(false, 'dc_api.protocol', place, message) }
  }
  return chosen.protocol === dcApiProtocols.dc_api
    ? checkDcApiRequest(chosen.data, input)
    : checkAnnexCRequest(chosen.data, input)
}

type OfferedRequest = { protocol: string; data: unknown }

function isRequest(request: unknown): request is OfferedRequest {
  return isObject(request) && typeof request['protocol'] === 'string' && isObject(request['data'])
}
