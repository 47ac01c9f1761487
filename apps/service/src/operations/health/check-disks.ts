import { statfs } from 'node:fs/promises'
import { setTimeout as wait } from 'node:timers/promises'
import type { Health } from '@vidimus/contract'
import type { Config } from '../../engine/config/index.ts'
import { type Database, readDataFolder } from '../../engine/db/index.ts'
import { type DoctorFinding, ok, warning, wrong } from './finding.ts'

type Disk = Health['disks'][number]

/** The part of a disk that is free, below which the health page warns, or says that it is wrong. */
export const diskLevels = { warning_percent: 15, wrong_percent: 5 }

/** The disks of the database and of what the service itself writes to files, as far as this process can know them. */
export async function readDisks(
  db: Database,
  { ERASURE_LEDGER, AUDIT_CHECKPOINT_DIR }: Pick<Config, 'ERASURE_LEDGER' | 'AUDIT_CHECKPOINT_DIR'>,
): Promise<Disk[]> {
  const folders = [
    { name: 'database', folder: await readDataFolder(db) },
    ...(ERASURE_LEDGER === undefined ? [] : [{ name: 'ledger', folder: ERASURE_LEDGER } as const]),
    ...(AUDIT_CHECKPOINT_DIR === undefined
      ? []
      : [{ name: 'checkpoints', folder: AUDIT_CHECKPOINT_DIR } as const]),
  ] as const
  return Promise.all(
    folders.map(async ({ name, folder }) => {
      const space = folder === undefined ? undefined : await readSpace(folder)
      return { name, ...space, status: space === undefined ? 'ok' : rate(space) }
    }),
  )
}

type Space = { free_bytes: number; total_bytes: number }

/** A file system of another machine that is away answers nothing. */
export const maxDiskWait_ms = 1000
/** One call for each folder at a time, because each that hangs keeps a thread of Node's. */
const running = new Map<string, Promise<Space | undefined>>()

/** The space of the disk that has a folder, for who is not its administrator. Undefined if it cannot be known. */
export async function readSpace(folder: string): Promise<Space | undefined> {
  let reading = running.get(folder)
  if (reading === undefined) {
    reading = statfs(folder)
      .then(({ bavail, blocks, bsize }) => ({ free_bytes: bavail * bsize, total_bytes: blocks * bsize }))
      // There is no such folder here, or this user may not enter it.
      .catch(() => undefined)
      .finally(() => running.delete(folder))
    running.set(folder, reading)
  }
  const space = await Promise.race([reading, wait(maxDiskWait_ms, undefined, { ref: false })])
  // Some file systems do not say their size.
  return space === undefined || space.total_bytes === 0 ? undefined : space
}

export function rate({ free_bytes, total_bytes }: Space): Disk['status'] {
  const free_percent = (free_bytes / total_bytes) * 100
  if (free_percent < diskLevels.wrong_percent) return 'wrong'
  return free_percent < diskLevels.warning_percent ? 'warning' : 'ok'
}

const names: Record<Disk['name'], string> = {
  database: 'The disk of PostgreSQL',
  ledger: 'The disk of ERASURE_LEDGER',
  checkpoints: 'The disk of AUDIT_CHECKPOINT_DIR',
}

export function checkDisk({ name, free_bytes = 0, total_bytes = 0, status }: Disk): DoctorFinding {
  const check = `${name} disk`
  if (status === 'ok') return ok(check, 'is not known, or has room')
  const free_gb = (free_bytes / 1e9).toFixed(1)
  const says = `${names[name]} has ${free_gb} of ${(total_bytes / 1e9).toFixed(0)} GB left.`
  const cure = 'Extend the volume, or keep less: VERIFICATION_RETENTION_DAYS, DELIVERY_RETENTION_DAYS.'
  return status === 'wrong' ? wrong(check, says, cure) : warning(check, says, cure)
}
