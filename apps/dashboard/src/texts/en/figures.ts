import type { FigureCounts } from '@vidimus/contract'
import { plural } from '../plural.ts'

export type FiguresTexts = typeof figures

export const figures = {
  range: 'Range',
  days: plural({ one: 'Last {count} day', other: 'Last {count} days' }),
  all_templates: 'All templates',
  own_query: 'Own query',
  device: 'Device',
  all_devices: 'All devices',
  created_today: 'Created today',
  of_quota: '{used} of {quota} used, test and live combined',
  quota_share: 'Share of today’s quota',
  success_rate: 'Success rate',
  no_answers: 'No answers in this range',
  of_answers: plural({ one: 'of {count} answer', other: 'of {count} answers' }),
  completed_share: 'Share of answers that completed',
  median_time: 'Median time to answer',
  p95_time: '95 % answered within {time}',
  time_note: 'from creation to answer',
  webhooks: 'Webhook delivery, 24 hours',
  no_webhooks: 'None sent',
  waiting: '{waiting} waiting',
  attempts: plural({ one: '{delivered} of {count} attempt', other: '{delivered} of {count} attempts' }),
  delivered_share: 'Share of attempts that succeeded',
  share: '{label}: {percent}',
  outcomes: {
    completed: 'Completed',
    failed: 'Failed',
    declined: 'Declined',
    expired: 'Expired',
    pending: 'Pending',
  } satisfies Partial<Record<keyof FigureCounts, string>>,
  in_all: plural({ one: '{count} in all', other: '{count} in all' }),
  day_before: '{created} on {day}',
  days_before: plural({ one: 'Day before', other: '{count} days before' }),
  outcome_chart: {
    title: 'Outcomes per day',
    description: 'Verifications by the UTC day on which they were created.',
    sampled: 'There are too many recent verifications to count: only the newest are included.',
    label:
      'Stacked bars: {created} verifications in {days}, of which {completed} completed, {failed} failed, {declined} declined, {expired} expired and {pending} pending. The table below has the figures of each day.',
  },
  time_chart: {
    title: 'Time to answer per day',
    description: 'From creation to the wallet’s answer, accurate to about 10 %.',
    label:
      'Lines: the median and the 95th percentile of the time to answer. The table below has the figures of each day.',
    median: 'Median',
    p95: '95th percentile',
    none: 'No answers in this range.',
  },
  funnel: {
    title: 'Funnel',
    description: 'How many verifications reached each step.',
    created: 'Created',
    opened: 'Opened in a wallet',
    answered: 'Answered',
    completed: 'Completed',
    of_previous: '{percent} of the step before',
  },
  failures: {
    title: 'Failure reasons',
    description: 'Most common in this range.',
    none: 'No failures.',
  },
  table: {
    show: 'Show as table',
    caption: 'Figures by day',
    day: 'Day',
    created: 'Created',
    opened: 'Opened',
    median: 'Median time',
    p95: '95th percentile',
  },
  erased: 'Erased verifications are counted. What is counted names nobody.',
}
