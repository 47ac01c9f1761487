import { connect as connectTcp, isIP, type LookupFunction, type Socket } from 'node:net'
import { connect as connectTls } from 'node:tls'
import { callbackify } from 'node:util'
import { classifyAddress, type AddressRanges } from './classify-address.ts'
import type { Target } from './read-target.ts'
import type { Resolve } from './resolve.ts'

/** Connects to a target. Throws `AddressRefused`, `NameUnresolved`, or what the network or the certificate had to say. */
export type Dial = (target: Target, signal: AbortSignal) => Promise<Socket>

/** The target is, or leads to, an address that may not be reached. It does not say which: that could tell of our network. */
export class AddressRefusedError extends Error {}

export class NameResolutionError extends Error {
  readonly code: string
  constructor(code: string) {
    super(code)
    this.code = code
  }
}

/**
 * The only place where the service connects to something outside. The address that is connected to is the address that was
 * checked (HOOK-5): a literal is checked here, because no look-up is made for it; the addresses of a name are checked
 * in the look-up of this very connection, and the socket takes no others; and the peer is checked before the first byte.
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

/** With `autoSelectFamily` Node asks for all addresses at once and tries them in turn (RFC 8305). */
function checkedLookup(resolve: Resolve): LookupFunction {
  return callbackify(async (name: string, _options: object) => {
    const resolution = await resolve(name)
    if (resolution.kind === 'refused') throw new AddressRefusedError()
    if (resolution.kind === 'unresolved') throw new NameResolutionError(resolution.code)
    return resolution.addresses
  })
}

/** The name that the certificate must carry. An address has none to send, and a final dot is not sent (RFC 6066 §3). */
function serverName(host: string): string {
  return isIP(host) ? '' : host.replace(/\.$/, '')
}

function waitUntilConnected(socket: Socket, event: 'connect' | 'secureConnect'): Promise<Socket> {
  return new Promise((resolve, reject) => {
    // The listener stays: a socket that breaks while nobody looks must not end the process.
    socket.on('error', reject)
    socket.once('close', () => reject(new Error('closed while connecting')))
    socket.once(event, () => resolve(socket))
  })
}
