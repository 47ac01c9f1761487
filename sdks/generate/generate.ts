import { readContract } from './contract.ts'
import { printPython } from './python.ts'

/** Folders that have only generated files. */
export const generatedFolders: string[] = []

/** The generated files of all SDKs, by their path below `sdks`. */
export function generateSdks(): Record<string, string> {
  const contract = readContract()
  return {
    ...within('python', printPython(contract)),
  }
}

function within(folder: string, files: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(files).map(([file, text]) => [`${folder}/${file}`, text]))
}
