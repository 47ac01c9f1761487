import { rotateSandboxIssuer } from '../../trust/index.ts'
import { asOperator, operatorOptions } from './as-operator.ts'
import { command, printResult } from './command.ts'
import { jsonOption } from './options.ts'
import { withContext } from './with-context.ts'

export const sandboxRotateCommand = command({
  options: { ...operatorOptions, json: jsonOption },
  async run({ values }) {
    const record = asOperator('installation.sandbox_rotated', values)
    await withContext((ctx) => rotateSandboxIssuer({ ...ctx, record }))
    printResult(values, { rotated: true }, [
      'The sandbox has a new issuer. What it issued before is no longer trusted.',
    ])
  },
})
