import {
  createDatabase,
  databaseUrl,
  findServer,
  defaultPort,
} from '../../platform/db/connection/find-server.ts'
import { explainUnreachable } from '../../platform/db/failures.ts'
import { CommandError, printMessage } from '../command.ts'

const defaultName = 'vidimus_dev'

/** The database of `vidimus dev`: the configured one, or `vidimus_dev` on a local PostgreSQL. It is created if missing. */
export async function chooseDatabase(configured: string | undefined): Promise<string> {
  const url = configured ?? databaseUrl(await findLocalServer(), defaultName)
  try {
    if (await createDatabase(url)) printMessage(`Created the database ${new URL(url).pathname.slice(1)}.`)
  } catch (error) {
    const reason = explainUnreachable(error, url)
    if (reason !== undefined) throw new CommandError(`${reason} Check DATABASE_URL.`)
    if (!isPermissionDenied(error)) throw error
    // A user who may not create databases may still own the configured one. Opening it will show.
    if (configured === undefined) throw new CommandError(cannotCreateMessage)
  }
  return url
}

const cannotCreateMessage = `The PostgreSQL user may not create databases. Create one and set DATABASE_URL:
  createdb ${defaultName}
  export DATABASE_URL=postgres://localhost/${defaultName}`

function isPermissionDenied(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === '42501'
}

async function findLocalServer(): Promise<string> {
  const server = await findServer()
  if (server.found) return server.url
  throw new CommandError(server.listening ? passwordNeededMessage(server.users) : noServerMessage)
}

const noServerMessage = `DATABASE_URL is not set, and no PostgreSQL is listening on port ${defaultPort} of this machine. Start one, for example:
  docker run --rm -d -p ${defaultPort}:${defaultPort} -e POSTGRES_HOST_AUTH_METHOD=trust postgres:17
or set the one to use:
  export DATABASE_URL=postgres://user:password@host/${defaultName}`

function passwordNeededMessage(users: string[]): string {
  return `DATABASE_URL is not set. PostgreSQL on port ${defaultPort} does not accept ${users.join(' or ')} without a password. Set user and password:
  export DATABASE_URL=postgres://user:password@localhost/${defaultName}`
}
