import type { Health } from '@vidimus/contract'
import { plural } from '../../../texts/plural.ts'

export type HealthTexts = typeof health

export const health = {
  title: 'Health',
  description: 'The state of the installation.',
  checked: 'Checked on {at}, version {version}.',
  check_again: 'Check again',
  copy: 'Copy as text',
  nothing: 'Nothing needs attention.',
  attention: plural({
    one: 'Needs attention, {count}',
    other: 'Needs attention, {count}',
  }),
  statuses: {
    ok: 'In order',
    warning: 'Soon',
    wrong: 'Wrong',
  } satisfies Record<Health['partitions']['status'], string>,
  figures: {
    webhooks: 'Waiting webhooks',
    none_wait: 'none wait',
    oldest: 'the oldest for {time}',
    worker: 'Worker last seen',
    worker_note: 'by its heartbeat',
    no_worker: 'No worker runs.',
    connections: 'Database connections',
    database: 'PostgreSQL {version}, {size}',
    partitions: 'Daily tables',
    partitions_note: 'made ahead',
    days: plural({ one: '{count} day', other: '{count} days' }),
  },
  loops: 'Queues and loops',
  queues: {
    webhooks: 'Webhook delivery',
    audit: 'Audit log',
  } satisfies Record<Health['queues'][number]['name'], string>,
  waiting: plural({ one: '{count} waiting', other: '{count} waiting' }),
  interval: 'runs every {time}',
  ago: '{time} ago',
  no_loops: 'No loop of a worker has run yet.',
  more_loops: plural({ one: '{count} more loop', other: '{count} more loops' }),
  lists: 'Lists, certificates, storage',
  service_certificate: 'Certificate of the service',
  tenant_certificate: 'Certificate of a tenant',
  anchors: plural({ one: '{count} anchor', other: '{count} anchors' }),
  disks: {
    database: 'Disk of the database',
    ledger: 'Disk of the erasure ledger',
    checkpoints: 'Disk of the checkpoints',
  } satisfies Record<Health['disks'][number]['name'], string>,
  disk_free: '{free} of {total} free',
  disk_unknown: 'On another machine, or its role may not know where.',
  unknown: 'Not known',
  disk: 'Database',
  writable: 'Its disk takes more.',
  not_writable: 'Its disk takes no more.',
}
