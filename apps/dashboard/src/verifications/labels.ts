import type { Finding, MaskedCredential, StatusName, TimelineEntry } from '@vidimus/contract'
import { fillIn } from '@vidimus/holder-texts/fill-in'
import type { Formats } from '../texts/formats.ts'
import type { Texts } from '../texts/languages.ts'
import type { Tone } from '../ui/badge.tsx'

type VerificationsTexts = Texts['verifications']

export const statusTones: Record<StatusName, Tone> = {
  pending: 'wait',
  completed: 'good',
  failed: 'bad',
  expired: 'plain',
}

/** Names of formats, which are the same in every language. */
export const formatLabels: Record<MaskedCredential['format'], string> = {
  'dc+sd-jwt': 'SD-JWT VC',
  mso_mdoc: 'ISO mdoc',
}

/** Why a verification failed. A page that is older than the service shows a new code as it is. */
export function failureLabel(code: string, { failures }: VerificationsTexts): string {
  return labelOf(failures, code) ?? code
}

/** One line of the timeline: `Webhook attempt 2: no response within 10 seconds`. */
export function timelineText(
  { kind, count = 1, actor, detail }: TimelineEntry,
  text: VerificationsTexts,
  formats: Formats,
): string {
  const event = formats.count(text.timeline[kind], count)
  const eventByActor = actor === undefined ? event : fillIn(text.timeline_by, { event, actor })
  return detail === undefined ? eventByActor : `${eventByActor}: ${failureLabel(detail, text)}`
}

/** A finding as `name: result`. A page that is older than the service shows a new check's code. */
export function findingText(
  check: string,
  status: Finding['status'],
  { checks, findings }: VerificationsTexts,
): { name: string; result: string } {
  const { name, failure } = labelOf(checks, check) ?? { name: check, failure: findings.fail }
  return { name, result: status === 'fail' ? failure : findings[status] }
}

function labelOf<Label>(labels: Record<string, Label>, code: string): Label | undefined {
  return Object.hasOwn(labels, code) ? labels[code] : undefined
}
