/** The operations that growth is measured for, in words. */
export const growthTexts = {
  create: 'creations',
  get: 'reads of verifications of today',
  get_any_day: 'reads of verifications of any day',
  poll: 'status polls',
  list: 'first pages of the list',
  erase: 'erasures of verifications of today',
  erase_any_day: 'erasures of verifications of any day',
  sweep: 'expired verifications swept',
  drop: 'days of 300,000 verifications dropped',
}
export type GrowthName = keyof typeof growthTexts
