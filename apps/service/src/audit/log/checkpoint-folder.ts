import { mkdir, open, readFile, readdir, rename } from 'node:fs/promises'
import { join } from 'node:path'
import { accessSync, constants, mkdirSync } from 'node:fs'
import { readSignedCheckpoint, toHex } from '@vidimus/evidence'
import { type Config, ConfigError } from '../../engine/config/index.ts'
import type { Context } from '../../engine/context.ts'
import { readChain } from '../chain/history-store.ts'
import { openLog } from './open-log.ts'

const latestFile = 'latest.checkpoint'
const extension = '.checkpoint'
const abandonedFolder = 'abandoned'

export type SavedCheckpoint = { file: string; note: string }

export async function readLatestCheckpoint(folder: string): Promise<string | undefined> {
  try {
    return await readFile(join(folder, latestFile), 'utf8')
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return undefined
    throw error
  }
}

/** Every checkpoint in the folder with its file name. */
export async function readSavedCheckpoints(folder: string): Promise<SavedCheckpoint[]> {
  const files = (await readFolder(folder)).filter((file) => file.endsWith(extension)).toSorted()
  return Promise.all(files.map(async (file) => ({ file, note: await readFile(join(folder, file), 'utf8') })))
}

/** Moves a checkpoint that a restored log does not continue out of the way. It is kept. */
export async function moveToAbandoned(folder: string, file: string, name: string): Promise<void> {
  await mkdir(join(folder, abandonedFolder), { recursive: true })
  await rename(join(folder, file), join(folder, abandonedFolder, `${name}${extension}`))
}

/** The checkpoints that were moved there, by their path in the folder. */
export async function listAbandonedCheckpoints(folder: string): Promise<string[]> {
  return (await readFolder(join(folder, abandonedFolder)))
    .filter((file) => file.endsWith(extension))
    .toSorted()
    .map((file) => `${abandonedFolder}/${file}`)
}

/** Replaces the latest checkpoint atomically: a reader sees either file in full, even after a power cut. */
export async function replaceLatestCheckpoint(folder: string, note: string): Promise<void> {
  await mkdir(folder, { recursive: true })
  const temporary = join(folder, `${latestFile}.${process.pid}`)
  await writeDurably(temporary, note, 'w')
  await rename(temporary, join(folder, latestFile))
}

/** Saves a checkpoint under its hour, unless that hour already has one. */
export async function saveHourlyCheckpoint(folder: string, at: string, note: string): Promise<void> {
  try {
    await writeDurably(join(folder, `${at.slice(0, 13)}Z${extension}`), note, 'wx')
  } catch (error) {
    if (!hasCode(error, 'EEXIST')) throw error
  }
}

/** A folder that is not there yet is empty: the worker creates it with the first checkpoint. */
async function readFolder(folder: string): Promise<string[]> {
  try {
    return await readdir(folder)
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return []
    throw error
  }
}

async function writeDurably(path: string, text: string, flags: 'w' | 'wx'): Promise<void> {
  const file = await open(path, flags)
  try {
    await file.writeFile(text)
    await file.sync()
  } finally {
    await file.close()
  }
}

function hasCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code
}

/** Creates AUDIT_CHECKPOINT_DIR if it is missing. A folder that this user may not write to is a mistake in the configuration; one that is unavailable may come back. */
export function requireCheckpointFolder({ AUDIT_CHECKPOINT_DIR: folder }: Config): void {
  if (folder === undefined) return
  try {
    mkdirSync(folder, { recursive: true })
    accessSync(folder, constants.W_OK)
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined
    if (code !== 'EACCES' && code !== 'EROFS') return
    const user = process.getuid?.() ?? 'this user'
    throw new ConfigError([
      `AUDIT_CHECKPOINT_DIR names ${folder}, in which user ${user} may not write (${code}): run \`chown ${user} ${folder}\`, or mount a folder that is writable for that user`,
    ])
  }
}

/** The end of a tenant's chain and the checkpoint of the log that covers it, for an entry in the log of another cell. */
export async function describeCheckpoint(
  ctx: Pick<Context, 'config' | 'db' | 'keyring'>,
  tenant_id: string,
): Promise<Record<string, unknown>> {
  const chain = await readChain(ctx.db, tenant_id)
  const log = await openLog(ctx, ctx.db)
  const checkpoint = await readSignedCheckpoint(log.checkpoint ?? '', log.keys)
  if (chain === undefined || chain.signed_seq !== chain.seq || 'fault' in checkpoint)
    throw new Error('the chain is not signed completely')
  return {
    origin: log.key.name,
    checkpoint_size: checkpoint.size,
    checkpoint_root: toHex(checkpoint.root),
    seq: chain.seq,
    link: toHex(chain.link),
  }
}
