import { writeFileSync } from 'node:fs'
import { limitGroups } from './limits/groups.ts'
import { renderLimits } from './limits/render.ts'

/** `npm run limits`: writes docs/reference/limits.md from the constants in the code. */
writeFileSync('docs/reference/limits.md', renderLimits(limitGroups))
