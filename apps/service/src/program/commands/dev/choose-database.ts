import { hash } from 'node:crypto'
import { basename, dirname, resolve } from 'node:path'
import { once } from 'node:events'
import { type AddressInfo, connect, createServer } from 'node:net'
import {
  createDatabase,
  databaseUrl,
  defaultPort,
  explainUnreachable,
  findServer,
} from '../../../engine/db/index.ts'
import { CommandError, printMessage } from '../command.ts'

/** A PostgreSQL identifier has at most 63 bytes. */
const maxFolderName_characters = 30

/**
 * The database of `vidimus dev`: the given one, or one of this folder on a local PostgreSQL, so that two clones do not share one. It is
 * created if missing.
 */
export async function chooseDatabase(given: string | undefined, folder: string): Promise<string> {
  const name = databaseName(folder)
  const url = given ?? databaseUrl(await findLocalServer(name), name)
  try {
    if (await createDatabase(url)) printMessage(`Created the database ${new URL(url).pathname.slice(1)}.`)
  } catch (error) {
    const reason = explainUnreachable(error, url)
    if (reason !== undefined) throw new CommandError(`${reason} Check DATABASE_URL.`)
    if (!isPermissionDenied(error)) throw error
    // A user who may not create databases may still own the configured one. Opening it will show.
    if (given === undefined) throw new CommandError(cannotCreateMessage(name))
  }
  return url
}

/** `vidimus_dev_shop_1f2e3d` for /home/ann/shop/.vidimus: readable, and different for every folder. */
export function databaseName(folder: string): string {
  const path = resolve(folder)
  const readable = basename(dirname(path))
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '_')
    .slice(0, maxFolderName_characters)
  return `vidimus_dev_${readable}_${hash('sha256', path).slice(0, 6)}`
}

function cannotCreateMessage(name: string): string {
  return `The PostgreSQL user may not create databases. Create one and set DATABASE_URL:
  createdb ${name}
  export DATABASE_URL=postgres://localhost/${name}`
}

function isPermissionDenied(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === '42501'
}

async function findLocalServer(name: string): Promise<string> {
  const server = await findServer()
  if (server.found) return server.url
  throw new CommandError(server.listening ? passwordNeededMessage(server.users, name) : noServerMessage(name))
}

function noServerMessage(name: string): string {
  return `DATABASE_URL is not set, and no PostgreSQL is listening on port ${defaultPort} of this machine. Start one, for example:
  docker run --rm -d -p ${defaultPort}:${defaultPort} -e POSTGRES_HOST_AUTH_METHOD=trust postgres:17
or set the one to use:
  export DATABASE_URL=postgres://user:password@host/${name}`
}

function passwordNeededMessage(users: string[], name: string): string {
  return `DATABASE_URL is not set. PostgreSQL on port ${defaultPort} does not accept ${users.join(' or ')} without a password. Set user and password:
  export DATABASE_URL=postgres://user:password@localhost/${name}`
}

/** The port if it is free, any free port for 0, or undefined if it is in use. */
export async function freePort(host: string, port: number): Promise<number | undefined> {
  const server = createServer()
  try {
    server.listen(port, host)
    await once(server, 'listening')
    return (server.address() as AddressInfo).port // a TCP server has a port
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EADDRINUSE') return undefined
    throw error
  } finally {
    server.close()
  }
}

/** Whether a server accepts connections there. */
export async function isListening(host: string, port: number): Promise<boolean> {
  const socket = connect({ host, port, timeout: 500 })
  try {
    await Promise.race([
      once(socket, 'connect'),
      once(socket, 'timeout').then(() => Promise.reject(new Error('timeout'))),
    ])
    return true
  } catch {
    // Refused or timed out.
    return false
  } finally {
    socket.destroy()
  }
}
