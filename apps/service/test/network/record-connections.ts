import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { Socket } from 'node:net'

/** Records the address of every connection attempt of this process before its first packet. */
export function recordConnections() {
  const attempts: string[] = []
  const onSocket = (message: unknown) => {
    if (typeof message !== 'object' || message === null || !('socket' in message)) return
    if (message.socket instanceof Socket) {
      message.socket.on('connectionAttempt', (address: string) => void attempts.push(address))
    }
  }
  subscribe('net.client.socket', onSocket)
  return {
    attempts,
    [Symbol.dispose]: () => void unsubscribe('net.client.socket', onSocket),
  }
}
