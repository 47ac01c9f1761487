import type { Health } from '@vidimus/contract'

/** The state of the installation as lines of text, in English, for a ticket or a chat. */
export function describeHealth(health: Health): string {
  const { checked_at, version, attention, loops, queues, trust_lists, certificates, partitions } = health
  const { database, disks } = health
  return [
    `vidimus ${version}, ${checked_at}`,
    ...attention.map(
      ({ check, status, says, cure }) => `${status} ${check}: ${says}${cure ? ` ${cure}` : ''}`,
    ),
    ...loops.map(({ name, status, age_seconds }) => `${status} loop ${name}: ${Math.round(age_seconds)} s`),
    ...queues.map(
      ({ name, status, waiting, oldest_seconds }) =>
        `${status} queue ${name}: ${waiting}, ${Math.round(oldest_seconds)} s`,
    ),
    ...trust_lists.map(
      ({ url, environment, status, refreshed_at = 'never' }) =>
        `${status} trust_list ${url} ${environment}: ${refreshed_at}`,
    ),
    ...certificates.map(({ owner, status, ends_at }) => `${status} certificate ${owner}: ${ends_at}`),
    ...disks.map(
      ({ name, status, free_bytes, total_bytes }) =>
        `${status} disk ${name}: ${free_bytes === undefined ? 'unknown' : `${free_bytes} of ${total_bytes} B free`}`,
    ),
    `${partitions.status} partitions: ${partitions.days_ahead} d`,
    `${database.status} database ${database.version}: ${database.size_bytes} B, ${database.connections}/${database.max_connections}`,
  ].join('\n')
}
