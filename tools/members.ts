import { membersMarkdown } from '../packages/sandbox/src/members/describe-members.ts'
import { memberRules } from '../packages/sandbox/src/members/member-rules.ts'

/** `npm run members`: prints the table of the members of messages. A test is generated from each row, in each format. */
process.stdout.write(membersMarkdown(memberRules))
