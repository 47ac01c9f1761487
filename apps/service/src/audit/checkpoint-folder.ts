import { mkdir, open, readdir, readFile, rename } from 'node:fs/promises'
import { join } from 'node:path'

const newest = 'latest.checkpoint'
const ending = '.checkpoint'

export async function readNewestSaved(folder: string): Promise<string | undefined> {
  try {
    return await readFile(join(folder, newest), 'utf8')
  } catch (error) {
    if (isCode(error, 'ENOENT')) return undefined
    throw error
  }
}

/** Every checkpoint in the folder, by the name of its file. */
export async function readAllSaved(folder: string): Promise<{ file: string; note: string }[]> {
  const files = (await readdir(folder)).filter((file) => file.endsWith(ending)).toSorted()
  return Promise.all(files.map(async (file) => ({ file, note: await readFile(join(folder, file), 'utf8') })))
}

/** Puts a checkpoint in the place of the newest; a reader sees the one or the other, whole, even after a power cut. */
export async function replaceNewest(folder: string, note: string): Promise<void> {
  await mkdir(folder, { recursive: true })
  const draft = join(folder, `${newest}.${process.pid}`)
  await writeDurably(draft, note, 'w')
  await rename(draft, join(folder, newest))
}

/** Keeps a checkpoint under the hour of its time, unless that hour has one. */
export async function keepOfHour(folder: string, at: string, note: string): Promise<void> {
  try {
    await writeDurably(join(folder, `${at.slice(0, 13)}Z${ending}`), note, 'wx')
  } catch (error) {
    if (!isCode(error, 'EEXIST')) throw error
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

function isCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code
}
