import { execFile } from 'node:child_process'
import { inheritedVariables } from './inherited-variables.ts'
import { packedProgram } from './packed-program.ts'

const program = packedProgram()

export type ProgramResult = { status: number; stdout: string; stderr: string }

/** Takes the privilege from root to read and write what the mode of a file does not allow. */
const withoutPrivileges = ['setpriv', '--bounding-set', '-dac_override,-dac_read_search']

/** Runs `vidimus` as an operator does: in a separate process that inherits nothing that configures it. */
export function runProgram(
  args: string[],
  environment: Record<string, string>,
  { privileges = 'own' }: { privileges?: 'own' | 'none' } = {},
): Promise<ProgramResult> {
  return new Promise((resolve) => {
    const env = { ...inheritedVariables(), ...environment }
    const prefix = privileges === 'none' && process.getuid?.() === 0 ? withoutPrivileges : []
    const [command = '', ...rest] = [...prefix, process.execPath, program, ...args]
    const child = execFile(command, rest, { env }, (_error, stdout, stderr) =>
      resolve({ status: child.exitCode ?? -1, stdout, stderr }),
    )
  })
}
