import { z } from 'zod'
import { textNames, type Entry as EntryType, type Texts as TextsType } from './entry.ts'

const hex = /^[0-9a-f]{64}$/
const time = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/
const uuid = z.regexes.uuid()

export const hexHash = z.string().regex(hex)
export const isoTime = z.string().regex(time)

/**
 * Written by hand because an export has many of them: as Zod schemas they take four times as long, a third of the time of
 * checking a chain.
 */
export const Entry = z.custom<EntryType>(isEntry)
export const Texts = z.custom<TextsType>(isTexts)

const entryNames = new Set(['action', 'actor', 'at', 'commitments', 'detail', 'seq', 'tenant_id', 'v'])
const names = new Set<string>(textNames)
const saltedTextNames = new Set(['salt', 'text'])

function isEntry(value: unknown): boolean {
  return (
    isRecord(value, entryNames) &&
    typeof value['action'] === 'string' &&
    typeof value['actor'] === 'string' &&
    matches(time, value['at']) &&
    (value['commitments'] === undefined || isTextMap(value['commitments'], isHex)) &&
    (value['detail'] === undefined || isRecord(value['detail'])) &&
    Number.isSafeInteger(value['seq']) &&
    Number(value['seq']) >= 1 &&
    matches(uuid, value['tenant_id']) &&
    value['v'] === 1
  )
}

function isTexts(value: unknown): boolean {
  return isTextMap(value, isSaltedText)
}

function isHex(value: unknown): boolean {
  return matches(hex, value)
}

function isSaltedText(value: unknown): boolean {
  return isRecord(value, saltedTextNames) && isHex(value['salt']) && typeof value['text'] === 'string'
}

/** An object with at least one of the text names, each with a valid value. */
function isTextMap(value: unknown, isValid: (member: unknown) => boolean): boolean {
  if (!isRecord(value, names)) return false
  const members = Object.values(value)
  return members.length > 0 && members.every(isValid)
}

/** An object with no members other than these. */
function isRecord(value: unknown, members?: ReadonlySet<string>): value is Record<string, unknown> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false
  return members === undefined || Object.keys(value).every((name) => members.has(name))
}

function matches(pattern: RegExp, value: unknown): boolean {
  return typeof value === 'string' && pattern.test(value)
}
