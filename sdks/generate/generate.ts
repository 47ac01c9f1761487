import { readContract } from './contract.ts'
import { printGo } from './go.ts'
import { printJava } from './java.ts'
import { printPhp } from './php.ts'
import { printPython } from './python.ts'

/** Folders that have only generated files. */
export const generatedFolders = ['php/src/Model', 'php/src/Resource', 'java/src/main/java/org/vidimus/model']

/** The generated files of all SDKs, by their path below `sdks`. */
export function generateSdks(): Record<string, string> {
  const contract = readContract()
  return {
    ...within('python', printPython(contract)),
    ...within('php', printPhp(contract)),
    ...within('go', printGo(contract)),
    ...within('java', printJava(contract)),
  }
}

function within(folder: string, files: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(files).map(([file, text]) => [`${folder}/${file}`, text]))
}
