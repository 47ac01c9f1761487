import { userInfo } from 'node:os'
import { text } from '@vidimus/contract'
import { type InstallationOperator, type RecordOperation, recordsAs } from '../../audit/index.ts'
import { UsageError } from './command.ts'

const Reason = text({ min: 1, max: 500 })

/** For commands that change the whole installation. */
export const reasonOption = { type: 'string', description: 'why, for the audit log' } as const

/** Records what a command changes under the name of the user who runs it. */
export function asOperator(
  action: Parameters<typeof recordsAs>[0],
  given: { reason: string | undefined },
): RecordOperation {
  return recordsAs(action, readOperator(given))
}

/** Who runs the command, and why. */
export function readOperator({ reason: given }: { reason: string | undefined }): InstallationOperator {
  const reason = Reason.optional().safeParse(given)
  if (!reason.success) throw new UsageError(`--reason ${reason.error.issues[0]?.message}`)
  return { name: userName(), reason: reason.data }
}

function userName(): string {
  try {
    return userInfo().username
  } catch {
    // A container may run as a user without a name.
    return `user ${process.getuid?.() ?? ''}`.trim()
  }
}
