import { userInfo } from 'node:os'
import { text } from '@vidimus/contract'
import { type InstallationOperator, type RecordOperation, recordsAs } from '../../audit/index.ts'
import { UsageError } from './command.ts'

const Reason = text({ min: 1, max: 500 })
const Name = text({ min: 1, max: 100 })

/** For commands that change the whole installation. */
export const operatorOptions = {
  as: { type: 'string', description: 'your name, for the audit log, where several people share a user' },
  reason: { type: 'string', description: 'why, for the audit log' },
} as const
type GivenOperator = Record<keyof typeof operatorOptions, string | undefined>

/** Records what a command changes under the name of the user who runs it. */
export function asOperator(action: Parameters<typeof recordsAs>[0], given: GivenOperator): RecordOperation {
  return recordsAs(action, readOperator(given))
}

/** Who runs the command, and why. A name that is given does not hide the user who gave it. */
export function readOperator(given: GivenOperator): InstallationOperator {
  const reason = Reason.optional().safeParse(given.reason)
  if (!reason.success) throw new UsageError(`--reason ${reason.error.issues[0]?.message}`)
  const name = Name.optional().safeParse(given.as)
  if (!name.success) throw new UsageError(`--as ${name.error.issues[0]?.message}`)
  return { name: name.data === undefined ? userName() : `${name.data} (${userName()})`, reason: reason.data }
}

function userName(): string {
  try {
    return userInfo().username
  } catch {
    // A container may run as a user without a name.
    return `user ${process.getuid?.() ?? ''}`.trim()
  }
}
