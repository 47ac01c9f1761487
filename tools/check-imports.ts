import { findImportViolations } from './find-import-violations.ts'

/** Checks the whole repository against the import rules. Also fails if a file was not read. */
const { violations, seen, expected } = await findImportViolations(process.cwd())
for (const { rule, from, to } of violations) console.log(`${rule.name}: ${from} -> ${to}`)
if (seen !== expected) console.log(`read ${seen} of ${expected} modules`)
console.log(`${seen} modules, ${violations.length} violations`)
process.exitCode = violations.length === 0 && seen === expected && expected > 0 ? 0 : 1
