import { plural } from '../plural.ts'

export type UsageTexts = typeof usage

export const usage = {
  title: 'Usage',
  description:
    'Verifications created per UTC day. Test and live share one quota, which resets at midnight UTC.',
  download: 'Download CSV',
  today: 'of {quota} today, {remaining} remaining',
  show_table: 'Show as table',
  table_caption: 'Verifications created by day',
  day: 'Day',
  chart: plural({
    one: 'Verifications created over the last day, with the daily quota of {quota}. The table below has the same figures.',
    other:
      'Verifications created per day over the last {count} days, with the daily quota of {quota}. The table below has the same figures.',
  }),
  bar: '{day}: {created}',
  daily_quota: 'Daily quota {quota}',
}
