import { maxApplies } from '../../apps/service/src/dashboard/config/apply-config.ts'
import { maxConfigReads } from '../../apps/service/src/dashboard/config/read-config.ts'
import { maxExportedTemplates_bytes } from '../../apps/service/src/templates/list-templates.ts'
import { maxConfigEntries } from '../../packages/contract/src/config.ts'
import type { Limit } from './limit.ts'

const entries = {
  per: 'configuration that is applied',
  file: 'packages/contract/src/config.ts',
  whenExceeded: '400 `invalid_request`',
}
const reads = {
  what: 'configurations being read or applied',
  unit: 'requests',
  file: 'apps/service/src/dashboard/config/read-config.ts',
}

export const configLimits: readonly Limit[] = [
  {
    what: 'anchors',
    value: maxConfigEntries.anchors,
    unit: 'anchors',
    name: 'maxConfigEntries.anchors',
    ...entries,
  },
  {
    what: 'registrations',
    value: maxConfigEntries.registrations,
    unit: 'registrations',
    name: 'maxConfigEntries.registrations',
    ...entries,
  },
  {
    what: 'templates',
    value: maxConfigEntries.templates,
    unit: 'templates',
    name: 'maxConfigEntries.templates',
    ...entries,
  },
  {
    what: 'webhook endpoints',
    value: maxConfigEntries.webhook_endpoints,
    unit: 'endpoints',
    name: 'maxConfigEntries.webhook_endpoints',
    ...entries,
  },
  {
    what: 'OpenID clients',
    value: maxConfigEntries.openid_clients,
    unit: 'clients',
    name: 'maxConfigEntries.openid_clients',
    ...entries,
  },
  {
    what: 'templates as JSON, all together',
    value: maxExportedTemplates_bytes,
    unit: 'bytes',
    per: 'tenant',
    name: 'maxExportedTemplates_bytes',
    file: 'apps/service/src/templates/list-templates.ts',
    whenExceeded: '409 `too_many`; templates are read and changed one by one',
  },
  {
    ...reads,
    value: maxConfigReads.each,
    per: 'tenant and process',
    name: 'maxConfigReads.each',
    whenExceeded: '429 `rate_limit_exceeded`',
  },
  {
    ...reads,
    value: maxConfigReads.all,
    per: 'process',
    name: 'maxConfigReads.all',
    whenExceeded: '503 `overloaded`',
  },
  {
    what: 'configurations being applied, each with a database connection, and fewer than DB_POOL_SIZE',
    value: maxApplies,
    unit: 'configurations',
    per: 'process',
    name: 'maxApplies',
    file: 'apps/service/src/dashboard/config/apply-config.ts',
    whenExceeded: '503 `overloaded`',
  },
]
