import { z } from 'zod'
import { describe } from './values.ts'

export type ErrorEnvelope = z.infer<typeof ErrorEnvelope>
export const ErrorEnvelope = z
  .strictObject({
    error: describe(
      z.strictObject({
        code: describe(z.string(), 'Stable. Decide by this code.', 'invalid_request'),
        message: describe(
          z.string(),
          'For people. The wording may change.',
          'ttl_seconds: must be at least 60, got 30.',
        ),
      }),
      'Why the request was refused. The `Link` header leads to the documentation of the code.',
      { code: 'invalid_request', message: 'ttl_seconds: must be at least 60, got 30.' },
    ),
  })
  .meta({ id: 'Error' })
