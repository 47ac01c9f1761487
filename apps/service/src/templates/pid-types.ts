import { fileURLToPath } from 'node:url'
import { z } from 'zod'
import { basePidType } from '@vidimus/protocol'
import { ConfigError, readJsonFile } from '../engine/config/index.ts'

export const maxPidTypes = 40

const name = z.string().regex(/^[!-~]{1,200}$/, 'must be 1-200 printable ASCII characters without spaces')
const agePath = z
  .array(name)
  .min(1)
  .max(8)
  .refine((path) => path.join('\n').split('NN').length === 2, 'must contain NN, for the years, once')

/** A type of a member state's PID. It has the claims of the base type (PID Rulebook 4.2), to which a state may add ages. */
export type PidType = z.infer<typeof PidType>
const PidType = z.strictObject({
  vct: name.refine((vct) => vct !== basePidType, 'is the base type, which is always requested'),
  /** Where it states that the holder is NN or older. Absent: ages are derived from the birth date. */
  age: z
    .strictObject({
      'dc+sd-jwt': agePath.optional(),
      mso_mdoc: agePath.length(2, 'must be a namespace and an element').optional(),
    })
    .default({}),
  /** Who describes it. */
  source: z.string().regex(/^[ -~]{1,200}$/, 'must be 1-200 printable ASCII characters'),
})

const PidTypes = z
  .array(PidType)
  .max(maxPidTypes)
  .superRefine((types, ctx) => {
    for (const [index, { vct }] of types.entries())
      if (types.findIndex((other) => other.vct === vct) < index)
        ctx.addIssue({ code: 'custom', path: [index, 'vct'], message: 'is listed twice' })
  })

const shippedFile = fileURLToPath(new URL('pid-types.json', import.meta.url))

/** Reads the national PID types: the shipped ones, or the file that the operator names. Throws a ConfigError that lists every mistake. */
export function readPidTypes(file = shippedFile): PidType[] {
  const parsed = PidTypes.safeParse(readJsonFile('PID_TYPES_FILE', file))
  if (parsed.success) return parsed.data
  throw new ConfigError(
    parsed.error.issues.map(
      ({ path, message }) => `PID_TYPES_FILE ${file}: ${path.join('.') || 'the file'}: ${message}`,
    ),
  )
}
