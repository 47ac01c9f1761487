import { writeFileSync } from 'node:fs'
import { membersMarkdown } from '../packages/sandbox/src/members/describe-members.ts'
import { memberRules } from '../packages/sandbox/src/members/member-rules.ts'

/** `npm run members`: writes docs/reference/members.md from the table of message members. */
writeFileSync('docs/reference/members.md', membersMarkdown(memberRules))
