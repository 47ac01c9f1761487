import type { NodePlace } from '../processes/network.ts'

export type PatroniOptions = {
  number: number
  place: NodePlace
  /** Address of every etcd member, `host:port`. */
  etcd: readonly string[]
  data_folder: string
  /** The folder of PostgreSQL's programs. */
  binaries: string | undefined
  nodes: number
  synchronous: boolean
  /** Whether a primary that reaches every other node may stay while etcd is lost. */
  failsafe: boolean
  etcd_api: 'v2' | 'v3'
}

/** Passwords of a cluster that only this machine can reach. */
export const passwords = { superuser: 'superuser', replication: 'replication', rewind: 'rewind' }

/** What decides how long a failover takes. */
export const timing = {
  /** The lock of a primary that does not renew it expires after this time; Patroni accepts no less. */
  ttl_seconds: 20,
  loop_wait_seconds: 2,
  retry_timeout_seconds: 4,
  /** A crashed primary gets this long to recover before a standby replaces it. */
  primary_start_timeout_seconds: 10,
  /** A standby that does not answer holds up every commit for this long. */
  wal_sender_timeout_seconds: 5,
}

/** The settings of one node, in the JSON that every YAML parser reads. */
export function patroniSettings(options: PatroniOptions): string {
  const { number, place, etcd, data_folder, binaries, synchronous, failsafe, etcd_api } = options
  return JSON.stringify({
    scope: 'vidimus',
    name: `node${number}`,
    restapi: {
      listen: `${place.host}:${place.rest_port}`,
      connect_address: `${place.host}:${place.rest_port}`,
    },
    // Patroni 3.0.2 overwrites the leader key through etcd's v3 API without comparing: a primary that was frozen takes
    // the lock back from its successor. Through the v2 API it compares first (patroni issue 2689).
    [etcd_api === 'v3' ? 'etcd3' : 'etcd']: { hosts: etcd.join(',') },
    bootstrap: {
      dcs: {
        ttl: timing.ttl_seconds,
        loop_wait: timing.loop_wait_seconds,
        retry_timeout: timing.retry_timeout_seconds,
        maximum_lag_on_failover: 1_048_576,
        primary_start_timeout: timing.primary_start_timeout_seconds,
        synchronous_mode: synchronous,
        synchronous_mode_strict: synchronous,
        failsafe_mode: failsafe,
        postgresql: { use_pg_rewind: true, use_slots: true, parameters: postgresParameters },
      },
      initdb: [{ encoding: 'UTF8' }, { locale: 'C.UTF-8' }, 'data-checksums'],
      pg_hba: ['host replication replicator all scram-sha-256', 'host all all all scram-sha-256'],
    },
    postgresql: {
      listen: `${place.host}:${place.database_port}`,
      connect_address: `${place.host}:${place.database_port}`,
      data_dir: data_folder,
      bin_dir: binaries,
      pgpass: `${data_folder}.pgpass`,
      authentication: {
        superuser: { username: 'postgres', password: passwords.superuser },
        replication: { username: 'replicator', password: passwords.replication },
        rewind: { username: 'rewind', password: passwords.rewind },
      },
      parameters: { unix_socket_directories: '' },
    },
    // On a real machine: required, with /dev/watchdog.
    watchdog: { mode: 'off' },
  })
}

const postgresParameters = {
  wal_level: 'replica',
  hot_standby: 'on',
  max_connections: 200,
  max_wal_senders: 10,
  max_replication_slots: 10,
  max_locks_per_transaction: 256,
  wal_log_hints: 'on',
  wal_keep_size: '128MB',
  wal_sender_timeout: `${timing.wal_sender_timeout_seconds}s`,
  wal_receiver_timeout: `${timing.wal_sender_timeout_seconds}s`,
  synchronous_commit: 'on',
  shared_buffers: '128MB',
  log_min_messages: 'warning',
}
