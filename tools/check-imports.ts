import { findImportViolations } from './find-import-violations.ts'

/** Holds the whole house against the import rules, and fails too when the reader overlooked a file. */
const { violations, seen, expected } = await findImportViolations(process.cwd())
for (const { rule, from, to } of violations) console.log(`${rule.name}: ${from} -> ${to}`)
if (seen !== expected) console.log(`read ${seen} of ${expected} modules`)
console.log(`${seen} modules, ${violations.length} violations`)
process.exitCode = violations.length === 0 && seen === expected && expected > 0 ? 0 : 1
