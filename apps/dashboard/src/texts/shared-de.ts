import { common } from './de/common.ts'
import { errors } from './de/errors.ts'
import { figures } from './de/figures.ts'
import { filters } from './de/filters.ts'
import { frame } from './de/frame.ts'
import { palette } from './de/palette.ts'
import { passkeys } from './de/passkeys.ts'
import { ui } from './de/ui.ts'
import type { SharedTexts } from './shared-en.ts'

export const sharedDe: SharedTexts = { common, errors, figures, filters, frame, palette, passkeys, ui }
