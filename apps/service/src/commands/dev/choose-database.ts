import {
  createDatabase,
  databaseUrl,
  findServer,
  defaultPort,
} from '../../platform/db/connection/find-server.ts'
import { explainUnreachable } from '../../platform/db/failures.ts'
import { CommandError, printMessage } from '../command.ts'

const defaultName = 'vidimus_dev'

/** The database of `vidimus dev`: the one that was named, or one of its own on the PostgreSQL of this machine. Made when it is missing. */
export async function chooseDatabase(configured: string | undefined): Promise<string> {
  const url = configured ?? databaseUrl(await findLocalServer(), defaultName)
  try {
    if (await createDatabase(url)) printMessage(`made the database ${new URL(url).pathname.slice(1)}`)
  } catch (error) {
    const reason = explainUnreachable(error)
    if (reason !== undefined)
      throw new CommandError(`The PostgreSQL of DATABASE_URL cannot be used: ${reason}.`)
    if (!isPermissionDenied(error)) throw error
    // Whoever may not look into other databases may still own the one that was named; whoever opens it will see.
    if (configured === undefined) throw new CommandError(cannotCreateMessage)
  }
  return url
}

const cannotCreateMessage = `PostgreSQL lets us in but not make a database. Make one and name it:
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

const noServerMessage = `DATABASE_URL is not set, and no PostgreSQL answers on this machine at port ${defaultPort}. Start one, for instance:
  docker run --rm -d -p ${defaultPort}:${defaultPort} -e POSTGRES_HOST_AUTH_METHOD=trust postgres:17
or name the one to use:
  export DATABASE_URL=postgres://user:password@host/${defaultName}`

function passwordNeededMessage(users: string[]): string {
  return `DATABASE_URL is not set. A PostgreSQL answers at port ${defaultPort}, but does not let ${users.join(' or ')} in without a password. Name user and password:
  export DATABASE_URL=postgres://user:password@localhost/${defaultName}`
}
