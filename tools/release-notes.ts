import { readFileSync } from 'node:fs'
import { selectReleaseNotes } from './release-notes/select-release-notes.ts'

/** `node tools/release-notes.ts v1.0.0`: the changelog's section of a version, for the release workflow. */
const [, , tag = ''] = process.argv
process.stdout.write(selectReleaseNotes(readFileSync('CHANGELOG.md', 'utf8'), tag))
