import type { PresentationDrafts, ResponseDrafts } from '../alterations.ts'
import type { Format } from '../documents/credential.ts'
import type { Channel } from '../wallet/authorization-request.ts'
import type { Expectation, Fault } from './fault.ts'

export const channels = ['redirect', 'dc_api', 'annex_c', 'age_app'] as const satisfies readonly Channel[]

/** The channels of the steps that not every channel has. */
const channelsOfStep: Partial<Record<keyof PresentationDrafts | keyof ResponseDrafts, readonly Channel[]>> = {
  vp_token: ['redirect', 'dc_api', 'age_app'],
  parameters: ['redirect', 'dc_api', 'age_app'],
  encryption: ['redirect', 'dc_api'],
  hpke: ['annex_c'],
  encrypted_response: ['annex_c'],
  // The fields differ, so a fault in the form names its channels.
  form: ['redirect'],
}

const formatsOfChannel: Readonly<Record<Channel, readonly Format[]>> = {
  redirect: ['dc+sd-jwt', 'mso_mdoc'],
  dc_api: ['dc+sd-jwt', 'mso_mdoc'],
  annex_c: ['mso_mdoc'],
  age_app: ['mso_mdoc'],
}

/** The channels on which a fault exists: those it names, or all that have the steps it alters. */
export function listChannels({ channels: named, alterations, document }: Fault): readonly Channel[] {
  if (named !== undefined) return named
  const steps = Object.keys(alterations) as (keyof typeof alterations)[]
  return channels.filter(
    (channel) =>
      steps.every((step) => channelsOfStep[step]?.includes(channel) ?? true) &&
      // The age app holds one document.
      (channel !== 'age_app' || document === undefined || document === 'av'),
  )
}

/** The expected result of a fault on a channel, in each format that the channel carries. Empty if the fault does not exist there. */
export function expectOn(fault: Fault, channel: Channel): Partial<Record<Format, Expectation>> {
  if (!listChannels(fault).includes(channel)) return {}
  const expected = Object.entries(fault.expect).filter(([format]) =>
    // The keys of `expect` are formats.
    formatsOfChannel[channel].includes(format as Format),
  )
  const onChannel = fault.expect_on?.[channel]
  return Object.fromEntries(expected.map(([format, usual]) => [format, onChannel ?? usual]))
}
