import { expect, test } from 'vitest'
import { selectReleaseNotes } from './select-release-notes.ts'

const changelog = `# Changelog

## [Unreleased]

- Later.

## [0.2.0] - 2027-02-01

### Added

- Second.

## [0.1.0] - 2027-01-15

- First.
`

test('release notes are the section of the tagged version alone', () => {
  expect(selectReleaseNotes(changelog, 'v0.2.0')).toBe('### Added\n\n- Second.\n\n')
  expect(selectReleaseNotes(changelog, 'v0.1.0')).toBe('- First.\n')
})

test('a tag without a dated section has no release notes', () => {
  expect(() => selectReleaseNotes(changelog, 'v0.3.0')).toThrow('no section "## [0.3.0] - date"')
  expect(() => selectReleaseNotes(changelog, 'Unreleased')).toThrow('no section')
})
