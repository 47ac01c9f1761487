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

/** Every checkpoint in the folder, by the name of its file. */
export async function readSavedCheckpoints(folder: string): Promise<{ file: string; note: string }[]> {
  const files = (await readdir(folder)).filter((file) => file.endsWith(extension)).toSorted()
  return Promise.all(files.map(async (file) => ({ file, note: await readFile(join(folder, file), 'utf8') })))
}

/** Puts a checkpoint in the place of the newest; a reader sees the one or the other, whole, even after a power cut. */
export async function replaceLatestCheckpoint(folder: string, note: string): Promise<void> {
  await mkdir(folder, { recursive: true })
  const draft = join(folder, `${latestFile}.${process.pid}`)
  await writeDurably(draft, note, 'w')
  await rename(draft, join(folder, latestFile))
}

/** Keeps a checkpoint under the hour of its time, unless that hour has one. */
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
