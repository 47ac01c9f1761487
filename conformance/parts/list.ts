import type { Part } from '../check.ts'
import { authentication } from './authentication.ts'
import { creating } from './creating.ts'
import { devices } from './devices.ts'
import { errors } from './errors.ts'
import { events } from './events.ts'
import { limits } from './limits.ts'
import { reading } from './reading.ts'
import { resources } from './resources.ts'
import { states } from './states.ts'
import { versioning } from './versioning.ts'

/** By the parts of the interface specification. Part 1 says what the others make exact. */
export const parts: readonly Part[] = [
  { number: 2, title: 'Resources and their fields', checks: resources },
  { number: 3, title: 'States and transitions', checks: states },
  { number: 4, title: 'Endpoints', checks: [...creating, ...reading, ...devices] },
  { number: 5, title: 'Authentication', checks: authentication },
  { number: 6, title: 'Events', checks: events },
  { number: 7, title: 'Errors', checks: errors },
  { number: 8, title: 'Limits', checks: limits },
  { number: 9, title: 'Versioning', checks: versioning },
]
