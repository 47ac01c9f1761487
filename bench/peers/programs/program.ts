/** What the bench tells a program by its environment and arguments. */
export function readSettings() {
  const { DATABASE_URL, DB_POOL_SIZE, CONNECTIONS_PER_HOST } = process.env
  return {
    command: process.argv[2] ?? '',
    database_url: DATABASE_URL ?? '',
    poolSize: Number(DB_POOL_SIZE ?? 10),
    connectionsPerHost: Number(CONNECTIONS_PER_HOST ?? 16),
  }
}

/** Tells the bench that the program works, and where it listens. */
export function reportReady(address = ''): void {
  process.stdout.write(`ready ${address}\n`)
}
