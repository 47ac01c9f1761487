import { Agent as HttpAgent } from 'node:http'
import { Agent as HttpsAgent } from 'node:https'

const maxConnections = 4

/**
 * Connections to the collector. Once closed, they end at once and no new one is made, so that a collector that hangs does not keep
 * a stopping process alive.
 */
export function openCollectorAgent(url: string): { agent: HttpAgent; close(): void } {
  const options = { keepAlive: true, maxSockets: maxConnections }
  const agent = url.startsWith('https:') ? new HttpsAgent(options) : new HttpAgent(options)
  return {
    agent,
    close() {
      // Not a code of the network, after which the exporter would try again.
      const closed = new Error('the tracer is closed')
      agent.createConnection = () => {
        throw closed
      }
      for (const socket of Object.values(agent.sockets).flat()) socket?.destroy(closed)
      agent.destroy()
    },
  }
}
