import {
  createDatabase,
  databaseUrl,
  findServer,
  defaultPort,
} from '../../platform/db/connection/find-server.ts'
import { explainUnreachable } from '../../platform/db/failures.ts'
import { CommandFailed, say } from '../command.ts'

const ownName = 'vidimus_dev'

/** The database of `vidimus dev`: the one that was named, or one of its own on the PostgreSQL of this machine. Made when it is missing. */
export async function chooseDatabase(named: string | undefined): Promise<string> {
  const url = named ?? databaseUrl(await localServer(), ownName)
  try {
    if (await createDatabase(url)) say(`made the database ${new URL(url).pathname.slice(1)}`)
  } catch (error) {
    const reason = explainUnreachable(error)
    if (reason !== undefined)
      throw new CommandFailed(`The PostgreSQL of DATABASE_URL cannot be used: ${reason}.`)
    if (!lacksRight(error)) throw error
    // Whoever may not look into other databases may still own the one that was named; whoever opens it will see.
    if (named === undefined) throw new CommandFailed(mayNotCreate)
  }
  return url
}

const mayNotCreate = `PostgreSQL lets us in but not make a database. Make one and name it:
  createdb ${ownName}
  export DATABASE_URL=postgres://localhost/${ownName}`

function lacksRight(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === '42501'
}

async function localServer(): Promise<string> {
  const server = await findServer()
  if (server.found) return server.url
  throw new CommandFailed(server.listening ? lockedOut(server.users) : absent)
}

const absent = `DATABASE_URL is not set, and no PostgreSQL answers on this machine at port ${defaultPort}. Start one, for instance:
  docker run --rm -d -p ${defaultPort}:${defaultPort} -e POSTGRES_HOST_AUTH_METHOD=trust postgres:17
or name the one to use:
  export DATABASE_URL=postgres://user:password@host/${ownName}`

function lockedOut(users: string[]): string {
  return `DATABASE_URL is not set. A PostgreSQL answers at port ${defaultPort}, but does not let ${users.join(' or ')} in without a password. Name user and password:
  export DATABASE_URL=postgres://user:password@localhost/${ownName}`
}
