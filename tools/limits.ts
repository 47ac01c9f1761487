import { limitGroups } from './limits/groups.ts'
import { renderLimits } from './limits/render.ts'

/** `npm run limits`: prints every limit, from the constants in the code. */
process.stdout.write(renderLimits(limitGroups))
