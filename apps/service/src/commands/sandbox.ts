import { rotateSandboxIssuer } from '../trust/sandbox/rotate-issuer.ts'
import { command, printResult } from './command.ts'
import { jsonOption } from './options.ts'
import { withContext } from './with-context.ts'

export const sandboxRotateCommand = command({
  options: { json: jsonOption },
  async run({ values }) {
    await withContext((ctx) => rotateSandboxIssuer(ctx))
    printResult(values, { rotated: true }, [
      'The sandbox has a new issuer. What it issued before is no longer trusted.',
    ])
  },
})
