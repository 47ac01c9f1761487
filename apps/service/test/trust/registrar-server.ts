import { createRegistrar, serveRegistrationStatus } from '@vidimus/sandbox'
import { makeCertificate, trustCertificate } from '../network/certificate.ts'
import { startReceiver } from '../network/receiver.ts'
import { replyBytes } from './status-issuer.ts'

/**
 * A registrar other than the sandbox's own, with its status list on a real server at `registrar.test`. While it is unavailable, every
 * request gets a 503.
 */
export async function startRegistrarServer() {
  const tls = await makeCertificate('registrar.test')
  const trusted = trustCertificate(tls.cert)
  const state = { available: true }
  const receiver = await startReceiver(
    (socket, request) => {
      const path = request.line.split(' ')[1] ?? ''
      const list = state.available
        ? serveRegistrationStatus(registrar, `https://registrar.test:${receiver.port}${path}`, {
            now: new Date(),
          })
        : undefined
      if (list === undefined)
        return void socket.write('HTTP/1.1 503 Service Unavailable\r\ncontent-length: 0\r\n\r\n')
      replyBytes(Buffer.from(list), { 'content-type': 'application/statuslist+jwt' })(socket, request)
    },
    { tls },
  )
  const registrar = createRegistrar({
    now: new Date(),
    status_uri: `https://registrar.test:${receiver.port}/status`,
  })
  return {
    registrar,
    receiver,
    setAvailable: (available: boolean) => (state.available = available),
    async [Symbol.asyncDispose]() {
      trusted[Symbol.dispose]()
      await receiver[Symbol.asyncDispose]()
    },
  }
}
