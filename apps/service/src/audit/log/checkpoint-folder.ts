import { mkdir, open, readdir, readFile, rename } from 'node:fs/promises'
import { join } from 'node:path'

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
