import type { UsageRow } from '@vidimus/contract'
import { plural } from '../../../texts/plural.ts'

export type UsageTexts = typeof usage

export const usage = {
  title: 'Usage',
  description: 'Verifications of every tenant by outcome, by the UTC month in which they were created.',
  caption: 'Usage by tenant',
  download: 'Download CSV',
  month: 'Month',
  environment: 'Environment',
  environments: { live: 'Live', test: 'Test' } satisfies Record<UsageRow['environment'], string>,
  both: 'Both, apart',
  tenant: 'Tenant',
  deleted: 'Deleted tenant',
  columns: {
    created: 'Created',
    completed: 'Accepted',
    failed: 'Not accepted',
    declined: 'Nothing shared',
    expired: 'Ended without answer',
    pending: 'Pending',
  },
  final: 'Final',
  not_final: 'Not final yet',
  sum: plural({ one: '{count} tenant', other: '{count} tenants' }),
  sum_shown: plural({ one: '{count} tenant shown', other: '{count} tenants shown' }),
  load_more: 'Load more tenants',
  empty_title: 'No usage in this month',
  empty_text: 'Nobody created a verification in this environment.',
  by_api: {
    title: 'The same by API',
    description: 'For billing systems. Needs a token with the role owner, billing or auditor.',
    copy: 'Copy request',
  },
}
