/** The operations that growth is measured for, in words. */
export const growthTexts = {
  create: 'creations',
  get: 'reads of sessions of today',
  get_any_day: 'reads of sessions of any day',
  poll: 'status polls',
  list: 'first pages of the list',
  erase: 'erasures of sessions of today',
  erase_any_day: 'erasures of sessions of any day',
  sweep: 'expired sessions swept',
  drop: 'days of 300,000 sessions dropped',
}
export type GrowthName = keyof typeof growthTexts
