import { defaultLanguage, listLanguages, type Language } from './language-codes.ts'

const maxHeaderLength = 1000
const maxRanges = 50

const all = listLanguages()

/**
 * Chooses the language of the holder's texts among those offered: the requested one, then the best of `Accept-Language`, then
 * English, then the first. A
 * regional variant such as `de-AT` counts as its language. Input that is too long or malformed is ignored.
 */
export function chooseLanguage(
  requested: string | undefined,
  acceptLanguage: string | undefined,
  offered: readonly Language[] = all,
): Language {
  return (
    readLanguage(requested ?? '', offered) ??
    chooseAccepted(acceptLanguage ?? '', offered) ??
    readLanguage(defaultLanguage, offered) ??
    offered[0] ??
    defaultLanguage
  )
}

function chooseAccepted(header: string, offered: readonly Language[]): Language | undefined {
  if (header.length > maxHeaderLength) return undefined
  const accepted = header.split(',', maxRanges).flatMap((range) => readRange(range, offered))
  // The sort is stable: of two languages with the same weight, the first one wins.
  return accepted.toSorted((a, b) => b.weight - a.weight)[0]?.language
}

/** Reads one language range with its weight (RFC 9110 §12.5.4, §12.4.2). A weight of 0 means "not acceptable". */
function readRange(range: string, offered: readonly Language[]): { language: Language; weight: number }[] {
  const parts = /^\s*([a-z0-9-]{1,35})\s*(?:;\s*q=(0(?:\.\d{0,3})?|1(?:\.0{0,3})?)\s*)?$/i.exec(range)
  const language = readLanguage(parts?.[1] ?? '', offered)
  const weight = Number(parts?.[2] ?? 1)
  return language === undefined || weight === 0 ? [] : [{ language, weight }]
}

function readLanguage(tag: string, offered: readonly Language[]): Language | undefined {
  const code = /^([a-z]{2})(?:-[a-z0-9]{1,8}){0,4}$/i.exec(tag)?.[1]?.toLowerCase()
  return offered.find((each) => each === code)
}
