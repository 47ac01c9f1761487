/** Why a file that a setting names cannot be read, and what to do: `MASTER_KEY_FILE names /a/key, which does not exist`. */
export function explainUnreadable(variable: string, file: string, error: unknown): string {
  return `${variable} names ${file}, which ${reason(file, error instanceof Error && 'code' in error ? error.code : undefined)}`
}

function reason(file: string, code: unknown): string {
  switch (code) {
    case 'ENOENT':
      return 'does not exist'
    case 'EISDIR':
      return 'is a folder'
    case 'EACCES': {
      const user = process.getuid?.() ?? 'this user'
      return `user ${user} may not read: run \`chown ${user} ${file}\`, or make it and its folders readable for that user`
    }
    default:
      return `cannot be read (${typeof code === 'string' ? code : 'unknown error'})`
  }
}
