import { mkdir, open, readdir, readFile, rename } from 'node:fs/promises'
import { join } from 'node:path'

const latestFile = 'latest.checkpoint'
const extension = '.checkpoint'

export async function readLatestCheckpoint(folder: string): Promise<string | undefined> {
  try {
    return await readFile(join(folder, latestFile), 'utf8')
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return undefined
    throw error
  }
}

/** Every checkpoint in the folder with its file name. */
export async function readSavedCheckpoints(folder: string): Promise<{ file: string; note: string }[]> {
  const files = (await readdir(folder)).filter((file) => file.endsWith(extension)).toSorted()
  return Promise.all(files.map(async (file) => ({ file, note: await readFile(join(folder, file), 'utf8') })))
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
