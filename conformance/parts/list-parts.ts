import type { SpecificationPart } from '../check.ts'
import { authenticationChecks } from './authentication.ts'
import { creationChecks } from './creation.ts'
import { deviceChecks } from './devices.ts'
import { errorChecks } from './errors.ts'
import { webhookChecks } from './events.ts'
import { limitChecks } from './limits.ts'
import { readChecks } from './reading.ts'
import { resourceChecks } from './resources.ts'
import { stateChecks } from './states.ts'
import { versioningChecks } from './versioning.ts'

/** The parts of the interface specification. Part 1 is an overview and has no checks. */
export const parts: readonly SpecificationPart[] = [
  { number: 2, title: 'Resources and their fields', checks: resourceChecks },
  { number: 3, title: 'States and transitions', checks: stateChecks },
  { number: 4, title: 'Endpoints', checks: [...creationChecks, ...readChecks, ...deviceChecks] },
  { number: 5, title: 'Authentication', checks: authenticationChecks },
  { number: 6, title: 'Events', checks: webhookChecks },
  { number: 7, title: 'Errors', checks: errorChecks },
  { number: 8, title: 'Limits', checks: limitChecks },
  { number: 9, title: 'Versioning', checks: versioningChecks },
]
