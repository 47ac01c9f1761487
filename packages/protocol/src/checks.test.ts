import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { checks, type Check } from './checks.ts'
import { failures } from './failures.ts'

const page = readFileSync(new URL('../../../docs/reference/errors.md', import.meta.url), 'utf8')

/** The sections below a heading of the page, by heading. */
function sectionsOf(heading: string): Map<string, string> {
  const chapter = page.split(/^## /m).find((text) => text.startsWith(`${heading}\n`)) ?? ''
  const [, ...sections] = chapter.split(/^### /m)
  return new Map(sections.map((section) => [section.slice(0, section.indexOf('\n')), section]))
}

describe('docs/reference/errors.md', () => {
  test('explains every code of a failed verification and no others', () => {
    expect([...sectionsOf('Failed verifications').keys()]).toEqual(Object.keys(failures))
  })

  test('explains every check and no others', () => {
    expect([...sectionsOf('Checks').keys()]).toEqual(Object.keys(checks))
  })

  test.each(Object.entries(failures))(
    '%s: meaning, remedy and the checks that cause it',
    (code, { meaning, remedy }) => {
      const section = sectionsOf('Failed verifications').get(code) ?? ''
      const causes = Object.entries<Check>(checks).filter(([, check]) => check.code === code)
      expect(section).toContain(meaning)
      expect(section).toContain(`What to do: ${remedy}`)
      expect([...section.matchAll(/\(#(\w+)\)/g)].map(([, name]) => name)).toEqual(
        causes.map(([name]) => name),
      )
    },
  )

  test.each(Object.entries<Check>(checks))('%s: meaning, remedy and the resulting error', (name, check) => {
    const section = sectionsOf('Checks').get(name) ?? ''
    expect(section).toContain(check.meaning)
    expect(section).toContain(`What to do if not: ${check.remedy}`)
    expect(section).toContain(
      check.code === undefined ? 'It only warns.' : `A failure is [\`${check.code}\`](#${check.code}).`,
    )
  })
})

test('[WRES-7] the list of codes of a failed verification is complete', () => {
  expect(Object.keys(failures).toSorted()).toEqual([
    'credential_expired',
    'credential_malformed',
    'credential_revoked',
    'holder_binding_invalid',
    'holder_declined',
    'issuer_untrusted',
    'query_not_satisfied',
    'requirement_not_met',
    'signature_invalid',
    'status_unavailable',
    'wallet_error',
  ])
})

test('[WRES-7] every code results from a check or from the wallet', () => {
  const given = new Set(Object.values<Check>(checks).map(({ code }) => code))
  const walletCodes = ['holder_declined', 'wallet_error'] as const
  expect(Object.keys(failures).filter((code) => !given.has(code as keyof typeof failures))).toEqual(
    walletCodes,
  )
})
