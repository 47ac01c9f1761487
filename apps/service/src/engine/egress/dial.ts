import { connect as connectTcp, isIP, type LookupFunction, type Socket } from 'node:net'
import { connect as connectTls } from 'node:tls'
import { callbackify } from 'node:util'
import { classifyAddress, type AddressRanges } from './classify-address.ts'
import type { Target } from './read-target.ts'
import type { Resolve } from './resolve.ts'

/** Connects to a target. Throws `AddressRefusedError`, `NameResolutionError`, or the error of the network or TLS. */
export type Dial = (target: Target, signal: AbortSignal) => Promise<Socket>

/** The target is or resolves to a forbidden address. The error does not name it, because that could reveal our network. */
export class AddressRefusedError extends Error {}

export class NameResolutionError extends Error {
  readonly code: string
  constructor(code: string) {
    super(code)
    this.code = code
  }
}

/**
 * The only place where the service connects to the outside. It connects to exactly the address it has checked (HOOK-5): a
 * literal address is checked here, because it needs no lookup; the addresses of a name are checked in the lookup of this same
 * connection, and the socket uses no others; and the peer is checked again before the first byte.
 */
export function openDial(resolve: Resolve, allowed: AddressRanges): Dial {
  const lookup = checkedLookup(resolve)
  const isAllowed = (address: string | undefined) =>
    address !== undefined && classifyAddress(address, allowed) !== 'refused'

  return async ({ host, port, secure }, signal) => {
    if (isIP(host) && !isAllowed(host)) throw new AddressRefusedError()

    const options = { host, port, lookup, signal, autoSelectFamily: true, noDelay: true }
    const socket = secure
      ? connectTls({ ...options, servername: serverName(host), ALPNProtocols: ['http/1.1'] })
      : connectTcp(options)
    socket.prependOnceListener('connect', () => {
      if (!isAllowed(socket.remoteAddress)) socket.destroy(new AddressRefusedError())
    })
    return waitUntilConnected(socket, secure ? 'secureConnect' : 'connect')
  }
}

/** With `autoSelectFamily` Node requests all addresses at once and tries them in turn (RFC 8305). */
function checkedLookup(resolve: Resolve): LookupFunction {
  return callbackify(async (name: string, _options: object) => {
    const resolution = await resolve(name)
    if (resolution.kind === 'refused') throw new AddressRefusedError()
    if (resolution.kind === 'unresolved') throw new NameResolutionError(resolution.code)
    return resolution.addresses
  })
}

/** The name for SNI, which the certificate must match. An address has none, and a trailing dot is not sent (RFC 6066 §3). */
function serverName(host: string): string {
  return isIP(host) ? '' : host.replace(/\.$/, '')
}

function waitUntilConnected(socket: Socket, event: 'connect' | 'secureConnect'): Promise<Socket> {
  return new Promise((resolve, reject) => {
    // The listener stays: an error on an idle socket must not end the process.
    socket.on('error', reject)
    socket.once('close', () => reject(new Error('the connection was closed while connecting')))
    socket.once(event, () => resolve(socket))
  })
}
