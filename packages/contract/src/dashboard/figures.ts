import { z } from 'zod'
import { text } from '../text.ts'
import { Count } from '../values.ts'

/** The ranges that the overview offers, in days including today. */
const figureRanges = ['7', '30', '90'] as const

export type FigureQuery = z.infer<typeof FigureQuery>
export const FigureQuery = z.strictObject({
  days: z.enum(figureRanges).default('7'),
  /** Only verifications with this template. Empty: those with a query of their own. */
  template: text({ min: 0, max: 64 }).optional(),
  /** Only verifications of this device. */
  device_id: z.uuid().optional(),
})

/** How many verifications were created, and where they are now. `failed` does not include `declined`. */
const figureCounts = {
  created: Count,
  /** A wallet fetched the request. */
  opened: Count,
  completed: Count,
  failed: Count,
  /** The holder declined, or the wallet had nothing that matches. */
  declined: Count,
  expired: Count,
  pending: Count,
  /** From creation to the wallet's response, accurate to an eighth. Absent if there was no response. */
  median_seconds: z.number().min(0).optional(),
  p95_seconds: z.number().min(0).optional(),
}

export type FigureCounts = z.infer<typeof FigureCounts>
const FigureCounts = z.strictObject(figureCounts)

export type DayFigures = z.infer<typeof DayFigures>
const DayFigures = z.strictObject({ day: z.string(), ...figureCounts })

/** Verifications of a range of days in UTC. Erased verifications are included: what is counted names nobody. */
export type Figures = z.infer<typeof Figures>
export const Figures = z
  .strictObject({
    total: FigureCounts,
    /** One for each day, oldest first; the last one is today. */
    days: z.array(DayFigures).max(90),
    top_failures: z.array(z.strictObject({ code: z.string(), count: Count })).max(5),
    /** The most used templates and devices of the range, whatever the filter. */
    templates: z.array(z.strictObject({ key: z.string(), created: Count })).max(100),
    devices: z.array(z.strictObject({ id: z.uuid(), name: z.string(), created: Count })).max(100),
    /** True if recent days had too many verifications to count, and only the newest were counted. */
    sampled: z.boolean(),
  })
  .meta({ id: 'Figures' })
