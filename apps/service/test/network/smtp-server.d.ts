/** The part of the server's interface that the tests use. */
declare module 'smtp-server' {
  import type { Server } from 'node:net'
  import type { Readable } from 'node:stream'

  type Verification = {
    secure: boolean
    user?: string
    envelope: { mailFrom: { address: string } | false; rcptTo: { address: string }[] }
  }
  type Callback = (error?: Error | null) => void
  type Options = {
    secure?: boolean
    key?: string
    cert?: string
    authOptional?: boolean
    allowInsecureAuth?: boolean
    hideSTARTTLS?: boolean
    disabledCommands?: string[]
    logger?: boolean
    closeTimeout?: number
    onAuth?(
      auth: { username?: string; password?: string },
      verification: Verification,
      callback: (error: Error | null, response?: { user: string }) => void,
    ): void
    onRcptTo?(address: { address: string }, verification: Verification, callback: Callback): void
    onData?(stream: Readable, verification: Verification, callback: Callback): void
  }
  export class SMTPServer {
    constructor(options: Options)
    server: Server
    listen(port: number, host: string): Server
    close(callback: () => void): void
    on(event: 'error', listener: (error: Error) => void): void
  }
}
