import { once } from 'node:events'
import { connect, createServer, type AddressInfo } from 'node:net'

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
