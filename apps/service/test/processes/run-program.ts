import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'

const program = fileURLToPath(new URL('../../src/main.ts', import.meta.url))

type ProgramResult = { status: number; stdout: string; stderr: string }

/** Runs `vidimus` as an operator does: in a separate process that inherits only PATH. */
export function runProgram(args: string[], environment: Record<string, string>): Promise<ProgramResult> {
  return new Promise((resolve) => {
    const env = { PATH: process.env['PATH'], ...environment }
    const child = execFile(process.execPath, [program, ...args], { env }, (_error, stdout, stderr) =>
      resolve({ status: child.exitCode ?? -1, stdout, stderr }),
    )
  })
}
