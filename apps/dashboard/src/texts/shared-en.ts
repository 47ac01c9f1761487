import { common } from './en/common.ts'
import { errors } from './en/errors.ts'
import { figures } from './en/figures.ts'
import { filters } from './en/filters.ts'
import { frame } from './en/frame.ts'
import { palette } from './en/palette.ts'
import { passkeys } from './en/passkeys.ts'
import { ui } from './en/ui.ts'

export const sharedEn = { common, errors, figures, filters, frame, palette, passkeys, ui }

/** The texts of the building blocks, which the dashboard and the operator’s console have both. */
export type SharedTexts = typeof sharedEn
